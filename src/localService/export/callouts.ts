import MarkdownIt, { type Token } from 'markdown-it';
import { pageMarkdown, type PageMarkdown } from '../page';

/**
 * Notes and warnings as boxes. The search reads pages without MDX tags and `:::` lines, so marks are
 * set around them that go through that and are found again among the tokens.
 */

const calloutKinds = ['note', 'tip', 'important', 'warning', 'caution'] as const;

export type CalloutKind = (typeof calloutKinds)[number];

const kindByName: Partial<Record<string, CalloutKind>> = {
  admonition: 'note',
  callout: 'note',
  check: 'tip',
  danger: 'caution',
  error: 'caution',
  info: 'note',
  success: 'tip',
  ...Object.fromEntries(calloutKinds.map((kind) => [kind, kind])),
};

/** A character for private use, which no text means anything by. */
const MARK = '\ue000';
const fenceStart = /^\s*(`{3,}|~{3,})/;
const tagLine = /^(\s*)<([A-Z][a-z]+)(?:\s[^<>]*)?>(?:(.*)<\/\2>)?\s*$/;
const closingTagLine = /^\s*<\/([A-Z][a-z]+)>\s*$/;
const containerLine = /^(\s*):{3,}\s*([a-z]+)?/i;

/** {@link pageMarkdown} with a mark where each callout begins and ends. */
export function calloutMarkdown(path: string, source: string): PageMarkdown {
  const isMdx = /\.mdx$/i.test(path);
  const marked: string[] = [];
  /** Callouts and containers that are open: what closes each, and whether it is a callout. */
  const open: { closer: string; kind: CalloutKind | undefined }[] = [];
  let fence: string | undefined;
  const begin = (indentation: string, closer: string, kind: CalloutKind | undefined): void => {
    open.push({ closer, kind });
    if (kind !== undefined) marked.push('', `${indentation}${MARK}${kind}${MARK}`, '');
  };
  const end = (line: string, closer: string): void => {
    marked.push(line);
    if (open.at(-1)?.closer !== closer) return;
    const indentation = /^\s*/.exec(line)?.[0] ?? '';
    if (open.pop()?.kind !== undefined) marked.push('', `${indentation}${MARK}end${MARK}`, '');
  };
  const lines = source.replaceAll(MARK, '').split(/\r\n?|\n/);
  const textStart = frontMatterLines(lines);
  marked.push(...lines.slice(0, textStart));
  for (const line of lines.slice(textStart)) {
    const marker = fenceStart.exec(line)?.[1];
    if (fence !== undefined || marker !== undefined) {
      if (fence === undefined) fence = marker;
      else if (marker?.startsWith(fence) && line.trim() === marker) fence = undefined;
      marked.push(line);
      continue;
    }
    const tag = isMdx ? tagLine.exec(line) : null;
    const closing = isMdx ? closingTagLine.exec(line)?.[1] : undefined;
    const container = containerLine.exec(line);
    if (tag?.[2] !== undefined && kindByName[tag[2].toLowerCase()]) {
      begin(tag[1] ?? '', tag[2], kindByName[tag[2].toLowerCase()]);
      if (tag[3] === undefined) marked.push(line);
      else end(line, tag[2]);
    } else if (closing !== undefined && kindByName[closing.toLowerCase()]) end(line, closing);
    else if (container?.[2] !== undefined) {
      begin(container[1] ?? '', ':::', kindByName[container[2].toLowerCase()]);
      marked.push(line);
    } else if (container) end(line, ':::');
    else marked.push(line);
  }
  return pageMarkdown(path, marked.join('\n'));
}

function frontMatterLines(lines: readonly string[]): number {
  if (!/^\uFEFF?---[ \t]*$/.test(lines[0] ?? '')) return 0;
  return lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line)) + 1;
}

const markLine = new RegExp(`^${MARK}(\\w+)${MARK}$`);
const alertLine = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/**
 * The tokens with `callout_open` (its `info` the kind) and `callout_close` in place of marks, and of
 * quotes that begin with `[!NOTE]`. Marks without a counterpart in the same list or quote go.
 */
export function foldCallouts(tokens: readonly Token[]): Token[] {
  const replaced = new Map<number, Token | undefined>();
  const containers: number[] = [-1];
  const open: { index: number; container: number | undefined; kind: CalloutKind }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.nesting === 1) containers.push(index);
    if (token.nesting === -1) containers.pop();
    if (token.type === 'blockquote_open') foldAlert(tokens, index, replaced);
    const inline = tokens[index + 1];
    const mark = token.type === 'paragraph_open' && inline ? markLine.exec(inline.content) : null;
    if (!mark) continue;
    for (const place of [index, index + 1, index + 2]) replaced.set(place, undefined);
    const container = containers.at(-2);
    const kind = kindByName[mark[1] ?? ''];
    if (kind !== undefined) open.push({ index, container, kind });
    else {
      const start = open.findLastIndex((callout) => callout.container === container);
      const callout = open[start];
      if (!callout) continue;
      open.length = start;
      replaced.set(callout.index, calloutToken('callout_open', 1, callout.kind));
      replaced.set(index, calloutToken('callout_close', -1, callout.kind));
    }
  }
  return [...tokens.entries()].flatMap(([index, token]) => {
    if (!replaced.has(index)) return [token];
    const replacement = replaced.get(index);
    return replacement ? [replacement] : [];
  });
}

function calloutToken(type: string, nesting: 1 | -1, kind: CalloutKind): Token {
  return Object.assign(new MarkdownIt.Token(type, 'div', nesting), { block: true, info: kind });
}

/** GitHub's alerts: `> [!NOTE]` above the text. */
function foldAlert(
  tokens: readonly Token[],
  start: number,
  replaced: Map<number, Token | undefined>,
): void {
  const inline = tokens[start + 2];
  const alert =
    tokens[start + 1]?.type === 'paragraph_open' && alertLine.exec(inline?.content ?? '');
  const kind = alert ? kindByName[alert[1]?.toLowerCase() ?? ''] : undefined;
  if (kind === undefined || !inline?.children) return;
  const level = tokens[start]?.level;
  let end = start + 1;
  while (end < tokens.length - 1 && tokens[end]?.level !== level) end++;
  const lineEnd = inline.children.findIndex(({ type }) => /^(?:soft|hard)break$/.test(type));
  inline.children = lineEnd < 0 ? [] : inline.children.slice(lineEnd + 1);
  if (inline.children.length === 0) {
    for (const place of [start + 1, start + 2, start + 3]) replaced.set(place, undefined);
  }
  replaced.set(start, calloutToken('callout_open', 1, kind));
  replaced.set(end, calloutToken('callout_close', -1, kind));
}
