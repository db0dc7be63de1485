import { compareText, cutText, joined } from '../../common/text/strings';
import { sendableText } from '../../shared/characters';
import { byteLength } from './terminalText';

/** Problem that an editor marks in a file, as plain values. */
export interface EditorProblem {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  /** Line, counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: (typeof severities)[number];
  readonly message: string;
  /** Program that reports the problem, such as `eslint`. */
  readonly source?: string;
  readonly code?: string;
  /** URL of the code's explanation. */
  readonly link?: string;
  /** Other places that explain the problem, in the order in which the program reports them. */
  readonly related?: readonly RelatedPlace[];
}

/** A place that explains a problem elsewhere. */
interface RelatedPlace {
  readonly path: string;
  /** Line, counted from 1. */
  readonly line: number;
  readonly message: string;
}

const severities = ['error', 'warning', 'information', 'hint'] as const;
/** Longest message in characters. A single message can contain a whole build log. */
const MAX_MESSAGE_LENGTH = 2_000;
/** Longest link of a code, in characters. Nobody opens a longer one. */
const MAX_LINK_LENGTH = 500;
/** Most related places of a problem. A compiler can name every overload of a function. */
const MAX_RELATED = 10;

/**
 * Returns the problems as text, a paragraph for each, errors first. Problems beyond the limit are
 * counted at the end.
 * @param limitBytes limit in bytes of UTF-8.
 * @returns empty if there are none.
 */
export function problemsText(problems: readonly EditorProblem[], limitBytes: number): string {
  const ordered = problems.toSorted(
    (a, b) =>
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      compareText(a.path, b.path) ||
      a.line - b.line ||
      a.column - b.column,
  );
  const lines: string[] = [];
  let left = limitBytes - byteLength(restText(problems.length));
  for (const problem of ordered) {
    // If a problem is too long, it can still fit without its related places.
    const line = [problem, { ...problem, related: [] }]
      .map(problemLine)
      .find((text) => byteLength(text) < left);
    if (line === undefined) break;
    left -= byteLength(line) + 1;
    lines.push(line);
  }
  const rest = problems.length - lines.length;
  if (rest > 0) lines.push(restText(rest));
  return lines.join('\n');
}

const restText = (count: number): string => `… and ${count} more`;

/** Returns the paragraph of a problem: one line, and one for each related place. */
function problemLine(problem: EditorProblem): string {
  const { path, line, column, severity, message, source, code, link, related = [] } = problem;
  const page = link !== undefined && link.length <= MAX_LINK_LENGTH ? link : undefined;
  const origin = joined([source, code, page], ' ');
  const places = related
    .slice(0, MAX_RELATED)
    .map((place) => `  ${place.path}:${place.line}: ${messageText(place.message)}`);
  const first = `${path}:${line}:${column}: ${severity}: ${messageText(message)}${origin === '' ? '' : ` (${sendableText(origin)})`}`;
  return [first, ...places].join('\n');
}

function messageText(message: string): string {
  const said = sendableText(message.trim());
  return said.length > MAX_MESSAGE_LENGTH ? `${cutText(said, MAX_MESSAGE_LENGTH)}…` : said;
}
