import { isSecretFile } from '../../common/secretScan/secretFiles';
import { compareText, cutText } from '../../common/text/strings';
import type { ContextItem } from './contextItem';
import { sendableText } from '../../shared/characters';

/** A file of the workspace that completion can offer. */
export interface FileCandidate {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  /** Position among the recently used editors, from 0. Absent for a file that isn't open. */
  readonly recency?: number;
}

/**
 * Returns the files whose path contains the query's letters in order, best matches first. From best
 * to worst: the name begins with the query, the name contains it, the path contains it, the letters
 * are scattered. Open files rank above others, and short paths above long ones.
 */
export function rankFiles<File extends FileCandidate>(
  query: string,
  files: readonly File[],
  limit: number,
): File[] {
  const wanted = query.toLowerCase().replaceAll('\\', '/');
  return files
    .flatMap((file) => {
      const rank = rankOf(wanted, file.path.toLowerCase());
      return rank === undefined ? [] : [{ file, rank }];
    })
    .sort(
      (a, b) =>
        a.rank - b.rank ||
        (a.file.recency ?? Infinity) - (b.file.recency ?? Infinity) ||
        // Infinity minus Infinity is NaN, which counts as a tie.
        a.file.path.length - b.file.path.length ||
        compareText(a.file.path, b.file.path),
    )
    .slice(0, limit)
    .map(({ file }) => file);
}

/** Shortest query that counts as the name of a file. */
const SHORTEST_NAMING = 3;

/**
 * Returns the files to offer for a query, ranked by {@link rankFiles}, and the files that the query
 * names but that usually hold secrets, which aren't offered.
 */
export function offeredFiles<File extends FileCandidate>(
  query: string,
  files: readonly File[],
  limit: number,
): { readonly offered: File[]; readonly withheld: File[] } {
  const harmless = files.filter(({ path }) => !isSecretFile(path));
  const isNaming = query.length >= SHORTEST_NAMING;
  const named = files.filter(
    ({ path }) =>
      isNaming && isSecretFile(path) && path.toLowerCase().includes(query.toLowerCase()),
  );
  return {
    offered: rankFiles(query, harmless, limit),
    withheld: rankFiles(query, named, MAX_WITHHELD),
  };
}

/** Maximum number of files in one list that only say why they aren't offered. */
const MAX_WITHHELD = 3;

/** Returns the rank of a path, lower for a better match, or undefined for no match. */
function rankOf(query: string, path: string): number | undefined {
  if (query === '') return 0;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === query) return 0;
  if (name.startsWith(query)) return 1;
  const inName = name.indexOf(query);
  // The query begins a word inside the name.
  if (inName > 0 && /[^a-z0-9]/.test(name.charAt(inName - 1))) return 2;
  if (inName > 0) return 3;
  if (path.includes(query)) return 4;
  const spread = spreadOf(query, name) ?? spreadOf(query, path);
  // A query whose letters are far apart in a path hardly ever means that file.
  return spread === undefined || spread > query.length * 4 ? undefined : 5 + spread / 1000;
}

/**
 * Returns the number of characters from the first to the last of the query's letters, as a greedy
 * search finds them.
 */
function spreadOf(query: string, text: string): number | undefined {
  let first = -1;
  let at = -1;
  for (const letter of query) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return undefined;
    if (first < 0) first = at;
  }
  return at - first + 1;
}

/** Problem that an editor marks in a file, as plain values. */
export interface EditorProblem {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  /** Line, counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning' | 'information' | 'hint';
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
export interface RelatedPlace {
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
  const origin = [source, code, page].filter((part) => part !== undefined && part !== '').join(' ');
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

/** Escape sequences in a terminal's buffer that move the cursor or color the text. */
const escapeSequence =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /\u001b(?:\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\[[0-?]*[ -/]*[@-~]?|[@-_])/g;

/**
 * Returns a terminal's text without escape sequences and trailing spaces. If the text is over the
 * limit, only the last whole lines are kept, because errors are at the end.
 * @param limitBytes limit in bytes of UTF-8.
 */
export function terminalText(text: string, limitBytes: number): string {
  const plain = sendableText(text.replace(escapeSequence, ''))
    .replace(/\r\n?/g, '\n')
    // eslint-disable-next-line no-control-regex -- control characters are what is dropped
    .replace(/[\u0001-\u0008\u000b-\u001f\u007f]/g, '');
  const all = plain.split('\n').map((line) => line.trimEnd());
  const isFilled = (line: string): boolean => line !== '';
  const lines = all.slice(Math.max(all.findIndex(isFilled), 0), all.findLastIndex(isFilled) + 1);
  let left = limitBytes;
  let first = lines.length;
  while (first > 0) {
    left -= byteLength(lines[first - 1] ?? '') + 1;
    if (left < -1) break;
    first--;
  }
  return lines.slice(first).join('\n');
}

/** Returns a context item for text that isn't a range of a document. */
export function textItem(id: string, label: string, value: string): ContextItem {
  return { id, type: 'textSelection', value, label };
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
