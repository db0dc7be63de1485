import type { Env, MarkdownIt } from 'markdown-it';

/** Tokens that any page can have. */
const BASE_TOKENS = 20_000;
/**
 * Further tokens for each character. Of 873 real pages, none had more than 0.26 for each, and those over 100,000
 * characters had at most 0.13.
 */
const TOKENS_PER_CHARACTER = 0.3;
/** Maximum number of tokens of one paragraph. Those of real pages have some hundreds. */
const MAX_PARAGRAPH_TOKENS = 20_000;

/** Environments of pages that have more tokens. */
const spentIn = new WeakSet<Env>();

/** Returns whether the page that was parsed with this environment has more tokens than a page can have. */
export function hasSpentTokens(env: Env): boolean {
  return spentIn.has(env);
}

/** Matches text up to the next sign with which a rule of CommonMark, a table or a strikethrough can begin. */
const plainText = /[^\n!&*<[\\\]_`~]+/y;

/**
 * Limits the tokens of a page. A token takes far more memory than the few characters that it stands for, and the
 * time to collect all of that grows faster than the page. What follows the limit becomes plain text.
 * @returns the parser.
 */
export function limitTokens(parser: MarkdownIt): MarkdownIt {
  let left = 0;
  parser.core.ruler.before('block', 'token-budget', ({ src }) => {
    left = BASE_TOKENS + TOKENS_PER_CHARACTER * src.length;
  });
  parser.block.ruler.before('table', 'token-budget', (state, startLine, endLine, isSilent) => {
    if (isSilent || state.tokens.length <= left) return false;
    const map: [number, number] = [startLine, endLine];
    state.push('paragraph_open', 'p', 1).map = map;
    const content = state.getLines(startLine, endLine, state.blkIndent, false).trim();
    Object.assign(state.push('inline', '', 0), { map, content, children: [] });
    state.push('paragraph_close', 'p', -1);
    state.line = endLine;
    spentIn.add(state.env);
    return true;
  });
  parser.core.ruler.at('inline', ({ tokens, md, env }) => {
    left -= tokens.length;
    for (const { type, content, children } of tokens) {
      if (type !== 'inline' || !children) continue;
      md.inline.parse(content, md, env, children);
      left -= children.length;
    }
  });
  parser.inline.ruler.before('text', 'token-budget', (state, isSilent) => {
    // Each mark of emphasis becomes a token, however many there are in a row.
    const count = state.tokens.length + marksAt(state.src, state.pos);
    if (count <= Math.min(left, MAX_PARAGRAPH_TOKENS)) return false;
    if (!isSilent) state.pending += state.src.slice(state.pos, state.posMax);
    state.pos = state.posMax;
    spentIn.add(state.env);
    return true;
  });
  // The library's own rule also stops at signs that only plugins use, and tries all rules there.
  parser.inline.ruler.at('text', (state, isSilent) => {
    plainText.lastIndex = state.pos;
    if (!plainText.test(state.src)) return false;
    const end = Math.min(plainText.lastIndex, state.posMax);
    if (!isSilent) state.pending += state.src.slice(state.pos, end);
    state.pos = end;
    return true;
  });
  return parser;
}

/** Returns the number of equal marks of emphasis at a position. */
function marksAt(text: string, start: number): number {
  const mark = text.charAt(start);
  if (mark === '' || !'*_~'.includes(mark)) return 0;
  let end = start + 1;
  while (text.charAt(end) === mark) end++;
  return end - start;
}
