import { visibleProse } from '../../shared/characters';
import { cutText } from '../../common/text/strings';
import { withoutUndefined } from '../../common/withoutUndefined';
import { percentDecoded } from '../../shared/links';
import { MAX_QUESTION_LENGTH } from '../../shared/limits';
import { isSitePath } from './askLinkText';
import { MAX_CURRENT_PATH_LENGTH, pagePath } from './documentPaths';

/** Text and page that a link fills in. Nothing is sent until the user sends it. */
interface AskLink {
  /** Empty if the link only names a page. */
  readonly question: string;
  /** Path of a page at the docs site, such as `/guides/start`, in the form of {@link pagePath}. */
  readonly page?: string;
  /** Whether the question was too long, so that its end was cut off. */
  readonly isCut: boolean;
}

/** Reason why a link is ignored. */
export type AskLinkProblem = 'unknown-path' | 'nothing-to-ask' | 'bad-page';

/** Longest query of a link that is read, in characters. */
const MAX_QUERY_LENGTH = 4 * MAX_QUESTION_LENGTH;

/**
 * Reads a link to this extension, `/ask?q=…&path=…`. Anyone can make such a link, so it isn't
 * trusted.
 *
 * @param query value of `vscode.Uri.query`, which VS Code has already decoded once. An `&` of the
 *   question therefore looks like an `&` between two parameters, so a parameter begins only at a
 *   known name.
 */
export function parseAskLink(link: {
  readonly path: string;
  readonly query: string;
}): AskLink | { readonly problem: AskLinkProblem } {
  if (!/^\/ask\/?$/.test(link.path)) return { problem: 'unknown-path' };
  const values = parametersOf(link.query.slice(0, MAX_QUERY_LENGTH));
  const page = values.path;
  const isPage = (path: string): boolean =>
    isSitePath(path) && pagePath(path).length <= MAX_CURRENT_PATH_LENGTH;
  if (page !== undefined && !isPage(page)) return { problem: 'bad-page' };
  const whole = plainQuestion(values.q ?? '');
  if (whole === '' && page === undefined) return { problem: 'nothing-to-ask' };
  const question = cutText(whole, MAX_QUESTION_LENGTH);
  return withoutUndefined({
    question,
    isCut: question.length < whole.length,
    page: page === undefined ? undefined : pagePath(page),
  });
}

/** Returns the parameters of a query. The first one of a name counts. */
function parametersOf(query: string): { readonly q?: string; readonly path?: string } {
  const found: { q?: string; path?: string } = {};
  for (const parameter of query.split(/&(?=(?:q|path)=)/)) {
    const [, name, value = ''] = /^(q|path)=([^]*)$/.exec(parameter) ?? [];
    if (name === 'q') found.q ??= decoded(value);
    else if (name === 'path' && value !== '')
      found.path ??= decoded(value.replace(/[&#][^]*$/, ''));
  }
  return found;
}

/**
 * Returns the value, decoded once more if it was encoded twice or as a form. Such text has escapes
 * but no spaces. Text with spaces stays as it is, including `C++` and `100%`.
 */
function decoded(value: string): string {
  if (/\s/.test(value)) return value;
  return percentDecoded(value.replace(/(?<=[^+])\+(?=[^+])/g, ' '));
}

/**
 * Returns the text without control and invisible characters that could disguise it. The joiners of
 * letters and emoji stay.
 */
function plainQuestion(text: string): string {
  return visibleProse(text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n'))
    .toWellFormed()
    .trim();
}
