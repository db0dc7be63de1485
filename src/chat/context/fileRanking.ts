import { isSecretFile } from '../../common/secretScan/secretFiles';
import { compareText } from '../../common/text/strings';

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
