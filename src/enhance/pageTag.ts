/** Puts the assistant's tag into a page and takes it out again, without another byte changed. */
import { isUtf8 } from 'node:buffer';
import { Parser } from 'htmlparser2';
import { encodePath } from '../common/http/encodePath';
import { ASSISTANT_FOLDER } from '../export/check/assistantFolder';
import type { Translate } from '../common/errors';
import { parseUrl } from '../shared/links';

/** Matches the tag, also that of earlier versions. Nothing of a page stands in it. */
const tagPattern =
  /<script defer src="[^"<>]*_docs-assistant\/assistant-[0-9a-f]+\.js" data-docs-assistant="[0-9a-f]+"><\/script>/g;

/** Names of the files that a tag needs. */
export interface TagFiles {
  /** The script's name in the folder. */
  readonly script: string;
  /** Name of the index's head. It stands in pages only, so other sites can't load the index. */
  readonly index: string;
}

/** Reason why a page doesn't get the tag. `not-found` is the page that hosts show for addresses without a page. */
export type UntaggedReason = 'frames' | 'policy' | 'base' | 'encoding' | 'not-found';

/** A page without the tag. */
export interface UntaggedPage {
  readonly page: string;
  readonly reason: UntaggedReason;
}

const untaggedSentences = {
  frames: '{0} has no box, because it has frames.',
  policy: '{0} has no box, because its own Content-Security-Policy allows no scripts of the site.',
  base: '{0} has no box, because its <base> leads out of the site.',
  encoding: '{0} has no box, because it is UTF-16.',
} as const satisfies Partial<Record<UntaggedReason, string>>;

/** Returns a sentence about each page without the tag. The page for missing addresses never has it. */
export function untaggedTexts(pages: readonly UntaggedPage[], t: Translate): string[] {
  return pages.flatMap(({ page, reason }) =>
    reason === 'not-found' ? [] : [t(untaggedSentences[reason], page)],
  );
}

/** Facts of a page that decide whether and where it gets the tag. */
interface PageFrame {
  /** Position for the tag. */
  readonly at: number;
  readonly hasFrames: boolean;
  /** Whether the page asks search engines to leave it out. */
  readonly isHidden: boolean;
  readonly baseHref: string | undefined;
  /** Policies that the page sets itself. */
  readonly policies: readonly string[];
}

/** Open elements after which the rest of a page isn't read. The parser's time grows with the square of their number. */
const MAX_OPEN = 2000;

/** Reads the frame of a page, which ends with its body. @param html decoded, or with a character for each byte. */
export function readPageFrame(html: string): PageFrame {
  let headEnd: number | undefined;
  let bodyStart: number | undefined;
  let hasFrames = false;
  let isHidden = false;
  let baseHref: string | undefined;
  const policies: string[] = [];
  let open = 0;
  const read = { isDone: false };
  const stop = (): void => {
    read.isDone = true;
    parser.pause();
  };
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (read.isDone) return;
      if (name === 'body') {
        bodyStart = parser.startIndex;
        stop();
      } else if (name === 'frameset') {
        hasFrames = true;
        stop();
      } else if (++open > MAX_OPEN) stop();
      else if (name === 'base') baseHref ??= attributes['href'];
      else if (name === 'meta') {
        const { content = '' } = attributes;
        if (/^content-security-policy$/i.test(attributes['http-equiv'] ?? ''))
          policies.push(content);
        if (/^(?:robots|googlebot|docs-assistant)$/i.test(attributes['name'] ?? ''))
          isHidden ||= /\b(?:noindex|none)\b/i.test(content);
      }
    },
    onclosetag: (name, isImplied) => {
      open--;
      if (read.isDone) return;
      if (name === 'head' && !isImplied) headEnd ??= parser.startIndex;
    },
  });
  parser.write(html);
  if (!read.isDone) parser.end();
  return { at: headEnd ?? bodyStart ?? html.length, hasFrames, isHidden, baseHref, policies };
}

/** Returns the bytes of a page without the tag. Returns the same bytes if there is none. */
export function withoutTag(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const plain = text.replace(tagPattern, '');
  return plain.length === text.length ? bytes : Buffer.from(plain, 'latin1');
}

/**
 * Returns the bytes of a page with the tag, in the place of an earlier one, or the reason why it can't have one.
 * @param page path of the page's file below the root of the site.
 * @param basePath path at which the site expects to be hosted, such as `/docs`, percent-encoded.
 */
export function withTag(
  bytes: Buffer,
  page: string,
  basePath: string,
  files: TagFiles,
): Buffer | UntaggedReason {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return 'encoding';
  const plain = withoutTag(bytes);
  // A character for each byte, so that the position is one of the bytes, whatever the encoding is.
  const html = plain.toString('latin1');
  const { at, hasFrames, baseHref, policies } = readPageFrame(html);
  if (hasFrames) return 'frames';
  if (!policies.every(allowsOwnScripts)) return 'policy';
  // A base's address needs the characters themselves.
  const base =
    baseHref !== undefined && isUtf8(plain) ? readPageFrame(plain.toString()).baseHref : baseHref;
  const folder = pathToFolder(page, basePath, base);
  if (folder === undefined) return 'base';
  const tag = `<script defer src="${folder}${ASSISTANT_FOLDER}/${files.script}" data-docs-assistant="${files.index}"></script>`;
  return Buffer.from(html.slice(0, at) + tag + html.slice(at), 'latin1');
}

/** Returns whether a policy lets a page run scripts of its own site, and those that such a script adds. */
function allowsOwnScripts(policy: string): boolean {
  const directives = new Map<string, readonly string[]>();
  for (const directive of policy.toLowerCase().split(';')) {
    const [name = '', ...sources] = directive.trim().split(/\s+/);
    if (!directives.has(name)) directives.set(name, sources);
  }
  const sources =
    directives.get('script-src-elem') ??
    directives.get('script-src') ??
    directives.get('default-src');
  if (!sources) return true;
  if (sources.includes("'strict-dynamic'")) return false;
  return ["'self'", '*', 'http:', 'https:'].some((source) => sources.includes(source));
}

/** Any origin that no site has. */
const ORIGIN = 'http://site.invalid';

/** Returns the path from a page to the root of its site: empty, or with a slash at its end. */
function pathToFolder(
  page: string,
  basePath: string,
  baseHref: string | undefined,
): string | undefined {
  const up = (path: string): string => '../'.repeat(path.split('/').length - 1);
  if (baseHref === undefined) return up(page);
  const root = `${ORIGIN}${basePath}/`;
  const base = parseUrl(baseHref.trim(), root + encodePath(page))?.href;
  return base?.startsWith(root) === true
    ? up(base.slice(root.length).replace(/[?#].*$/, ''))
    : undefined;
}
