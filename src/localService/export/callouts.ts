import MarkdownIt, { type Token } from 'markdown-it';
import { calloutKind, type CalloutKind } from '../markup/meanings';

const alertLine = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

const openingMark = /^<aside class="(\w+)">\s*$/;
const closingMark = /^<\/aside>\s*$/;

/**
 * Returns the tokens with `callout_open` (its `info` the kind) and `callout_close` in place of the
 * marks that a page's reader leaves, and of quotes that begin with `[!NOTE]`. Marks without a
 * counterpart in the same list or quote go.
 */
export function foldCallouts(tokens: readonly Token[]): Token[] {
  const replaced = new Map<number, Token | undefined>();
  const containers: number[] = [-1];
  const open: { index: number; container: number | undefined; kind: CalloutKind }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.nesting === 1) containers.push(index);
    if (token.nesting === -1) containers.pop();
    if (token.type === 'blockquote_open') foldAlert(tokens, index, replaced);
    if (token.type !== 'html_block') continue;
    const kind = calloutKind(openingMark.exec(token.content)?.[1] ?? '');
    if (kind === undefined && !closingMark.test(token.content)) continue;
    replaced.set(index, undefined);
    const container = containers.at(-1);
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
  const kind = alert ? calloutKind(alert[1] ?? '') : undefined;
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
