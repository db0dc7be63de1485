import { withoutLineBreaks } from '../../../shared/characters';
import type { HostingFile, HostingSite } from '../hostingSite';
import { encodedPath } from '../siteAddresses';
import type { ContentSecurityPolicy } from '../policy/contentSecurityPolicy';

/** Values of the user's server that a configuration contains. */
export interface HostingSettings {
  /** Absolute path of the folder on the server that holds the site, or its base path. */
  readonly root: string;
  /** Host name such as `docs.example.com`, with a port or without. */
  readonly host: string;
  /** Address and port such as `127.0.0.1:8080`, for a server behind another one. Undefined for the default ports. */
  readonly listen?: string;
}

/** Facts that a configuration is written from. */
export interface HostingInput extends HostingSettings {
  readonly site: HostingSite;
  readonly policy: ContentSecurityPolicy;
  /** Sentences in English for the comment at the top. */
  readonly remarks: readonly string[];
}

export interface HostingOutput {
  readonly files: readonly HostingFile[];
  /** Number of redirects beyond the host's limit. */
  readonly redirectsLeftOut: number;
}

/** Returns the name of a host and its port. The port is undefined if the text has none. */
export function splitHost(host: string): { readonly name: string; readonly port?: string } {
  const [name = '', port] = host.split(':');
  return port === undefined ? { name } : { name, port };
}

/** Caching of files whose name changes with their content: browsers keep them for a year without asking again. */
export const FOREVER = 'public, max-age=31536000, immutable';

/** Caching of all other files: browsers keep them, and ask the server each time whether they changed. */
export const FRESH = 'no-cache';

/**
 * Headers of every response besides the policy. `Strict-Transport-Security` is missing, because it
 * binds the whole host, and browsers remember it for a long time.
 */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;

/** Media types that browsers insist on and that some servers of recent years don't know. */
export const rareTypes: ReadonlyMap<string, string> = new Map([
  ['avif', 'image/avif'],
  ['json', 'application/json'],
  ['md', 'text/markdown'],
  ['mjs', 'text/javascript'],
  ['wasm', 'application/wasm'],
  ['webmanifest', 'application/manifest+json'],
  ['webp', 'image/webp'],
  ['woff2', 'font/woff2'],
]);

/** Media types besides HTML that are worth compressing. */
export const compressedTypes = [
  'text/css',
  'text/plain',
  'text/xml',
  'text/markdown',
  'text/javascript',
  'application/javascript',
  'application/json',
  'application/manifest+json',
  'application/wasm',
  'application/xml',
  'image/svg+xml',
] as const;

/**
 * Returns a text in quotes, as the configurations of nginx, Caddy and Apache have it. It has no control characters,
 * because the functions that read paths refuse them, and no braces, which name variables in Caddy.
 */
export function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Returns a regular expression for exactly this text, in which nothing but letters, digits, `/`, `_`
 * and `-` stands for itself. Paths come from an archive, and an escaped path can't end the quotes around it.
 *
 * @param unit of `\x` escapes: bytes of UTF-8 for PCRE, code points for Go.
 */
export function literalPattern(text: string, unit: 'byte' | 'code-point'): string {
  return text.replace(/[^A-Za-z0-9/_-]/gu, (character) => {
    if (unit === 'code-point') return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
    return [...new TextEncoder().encode(character)]
      .map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`)
      .join('');
  });
}

/** Returns a pattern of all files of a group, see {@link literalPattern}. */
export function groupPatterns(
  { basePath, immutable }: HostingSite,
  unit: 'byte' | 'code-point',
): string[] {
  return immutable.map(({ folder, extension }) => {
    const path = folder === '' ? `${basePath}/` : `${basePath}/${folder}/`;
    return `${literalPattern(path, unit)}[^/]+\\.${literalPattern(extension, unit)}`;
  });
}

/**
 * Returns the paths of the files that hosts can cache forever, for hosts where `*` stands for any text,
 * slashes included.
 *
 * @param hasInnerStars whether a path can go on after `*`, as in `/assets/*.js`.
 */
export function immutablePaths(
  { immutable, basePath, wholeFolders }: HostingSite,
  hasInnerStars: boolean,
): string[] {
  const path = (folder: string): string =>
    encodedPath(folder === '' ? `${basePath}/` : `${basePath}/${folder}/`);
  const whole = wholeFolders.map((folder) => `${path(folder)}*`);
  if (!hasInnerStars) return whole;
  const rest = immutable.filter(
    ({ folder, isDeep }) =>
      isDeep && !wholeFolders.some((one) => folder === one || folder.startsWith(`${one}/`)),
  );
  return [...whole, ...rest.map(({ folder, extension }) => `${path(folder)}*.${extension}`)];
}

/**
 * Sentence for the comment of a server that recognizes a changed file by its time, or by its time and size. A page
 * can change at the same size, and the archives of many tools give all files the same time.
 */
export const unpackingHint =
  'Unpack each release with "tar -xmf". Without -m, files keep the times of the archive, and browsers keep an old ' +
  'page if the new one has the same time and size.';

/** Returns paragraphs as comments of short lines. */
export function comments(paragraphs: readonly string[]): string {
  return paragraphs
    .flatMap((paragraph) => {
      const [first = '', ...rest] = wrapped(paragraph, 96);
      const indent = paragraph.startsWith('- ') ? '  ' : '';
      return [first, ...rest.map((line) => indent + line)];
    })
    .map((line) => `# ${line}`.trimEnd())
    .join('\n');
}

function wrapped(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  // Names of files in a remark come from an archive and must not end the comment.
  for (const word of withoutLineBreaks(line).split(' ')) {
    if (current !== '' && current.length + word.length >= width) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
