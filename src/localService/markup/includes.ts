import path from 'node:path';

/** Text of files that a page includes, by their path below the docs folder. */
export type IncludedFiles = ReadonlyMap<string, string>;

const endings = ['', '.mdx', '.md', '/index.mdx', '/index.md'];

/** Where a file may be that a page names, below the docs folder, likeliest first. */
export function candidates(from: string, wanted: string): string[] {
  const folder = path.posix.dirname(from);
  const plain = wanted.replace(/^@site\//, '/').replace(/^[@~]\//, '/');
  const bases = plain.startsWith('/')
    ? ['', ...parents(folder)]
    : plain.startsWith('.')
      ? [folder]
      : [folder, 'snippets', '_snippets', ''];
  const found = bases.flatMap((base) => {
    const joined = path.posix.normalize(path.posix.join(base === '.' ? '' : base, plain));
    const inside = joined.replace(/^\/+/, '');
    return inside.startsWith('..') ? [] : [inside];
  });
  const own = /\.\w+$/.test(plain) ? [''] : endings;
  return [...new Set(found.flatMap((file) => own.map((ending) => file + ending)))];
}

function parents(folder: string): string[] {
  const names = folder.split('/').filter((name) => name !== '' && name !== '.');
  return names.map((_name, count) => names.slice(0, names.length - count).join('/'));
}

/** Which of the read files a page means; `undefined` if it is none of them. */
export function resolveFile(
  from: string,
  wanted: string,
  files: IncludedFiles,
): string | undefined {
  return files.size === 0 ? undefined : candidates(from, wanted).find((file) => files.has(file));
}

const importLine = /^import\s[^'"\n]*?from\s*['"]([^'"\n]+\.(?:mdx?|markdown))['"]/gm;
const snippetTag = /<Snippet\b[^>]*?\b(?:file|src|path)=\{?["']([^"'\n]+)["']/g;
const codeLine = /^\s*<<<\s+([^\s{#[]+)/gm;

const partFolder = /(?:^|\/)(?:_[^/]*|snippets|partials|includes)\//;
const partName = /(?:^|\/)_[^/]*$/;

/** Whether a file lies where generators keep pieces of pages: it is no page if a page includes it. */
export function isPartPath(file: string): boolean {
  return partFolder.test(file) || partName.test(file);
}

/** Names the files that a page includes, as it writes them. */
export function includesOf(pagePath: string, source: string): string[] {
  const patterns = /\.mdx$/i.test(pagePath) ? [importLine, snippetTag, codeLine] : [codeLine];
  return [
    ...new Set(
      patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, wanted = '']) => wanted)),
    ),
  ];
}
