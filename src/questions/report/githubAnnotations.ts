import type { Translate } from '../../common/errors';
import { withoutUndefined } from '../../common/withoutUndefined';
import type { QuestionResult } from '../questionRun';

/**
 * Returns workflow commands with which GitHub shows results at the lines of their questions. One
 * warning counts the questions that weren't asked.
 * @param pathOf returns the path of a file from the top of the repository.
 * @see https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
 */
export function githubAnnotations(
  results: readonly QuestionResult[],
  t: Translate,
  pathOf: (file: string) => string,
): readonly string[] {
  const skipped = results.filter(({ status }) => status === 'skipped');
  const [first] = skipped;
  return [
    ...results
      .filter(({ status }) => status === 'fail' || status === 'error')
      .map((result) => command('error', placeOf(result, pathOf), result.reasons.join('\n'))),
    ...(first
      ? [
          command(
            'warning',
            { title: t('{0} questions were not asked', skipped.length) },
            first.reasons.join('\n'),
          ),
        ]
      : []),
  ];
}

function placeOf(
  { file, line, endLine, name, id }: QuestionResult,
  pathOf: (file: string) => string,
): Readonly<Record<string, string | number>> {
  return withoutUndefined({
    file: file === undefined ? undefined : pathOf(file),
    line,
    endLine,
    title: name === '' ? id : name,
  });
}

function command(
  name: 'error' | 'warning',
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const written = Object.entries(properties)
    .map(([key, value]) => `${key}=${escapedProperty(String(value))}`)
    .join(',');
  return `::${name} ${written}::${escapedData(message)}`;
}

function escapedData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
