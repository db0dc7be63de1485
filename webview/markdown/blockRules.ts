/** Block Markdown beyond CommonMark: footnotes, formulas, alerts, tasks, and tables of some size. */
import type { MarkdownIt, StateBlock, Token } from 'markdown-it';
import { isFormula } from './inlineRules';

/** Characters of one table, list or quote that are laid out; longer ones are shown as source. */
export const MAX_BLOCK_LENGTH = 100_000;

/** Cells that are laid out as a table: a few characters can stand for very many. */
const MAX_TABLE_CELLS = 10_000;

/** @param lines those of the whole table, `length` its characters. */
export function isTableTooLong(head: string, lines: number, length: number): boolean {
  return lines * head.split('|').length > MAX_TABLE_CELLS || length > MAX_BLOCK_LENGTH;
}

export function addBlockRules(md: MarkdownIt): void {
  refuseLongTables(md);
  const alt = ['paragraph', 'reference', 'blockquote'];
  md.block.ruler.before('reference', 'footnote_definition', footnoteDefinition, { alt });
  md.block.ruler.before('fence', 'math_block', mathBlock, { alt });
}

/** Makes a table that is too long for the view a block of its own kind, before its cells are made. */
function refuseLongTables(md: MarkdownIt): void {
  // The table rule is the first of all; it tells whether a table begins here.
  const [isTable] = md.block.ruler.getRules('');
  md.block.ruler.before('table', 'long_table', (state, startLine, endLine, isSilent) => {
    if (isSilent || isTable?.(state, startLine, endLine, true) !== true) return false;
    const isEnd = (line: number): boolean =>
      state.isEmpty(line) ||
      (state.sCount[line] ?? 0) < state.blkIndent ||
      (state.sCount[line] ?? 0) - state.blkIndent >= 4 ||
      md.block.ruler.getRules('blockquote').some((rule) => rule(state, line, endLine, true));
    let end = startLine + 2;
    while (end < endLine && !isEnd(end)) end++;
    const head = state.getLines(startLine, startLine + 1, 0, false);
    const length = (state.eMarks[end - 1] ?? 0) - (state.bMarks[startLine] ?? 0);
    if (!isTableTooLong(head, end - startLine, length)) return false;
    const token = state.push('long_block', '', 0);
    token.map = [startLine, end];
    token.content = state.getLines(startLine, end, state.blkIndent, false);
    state.line = end;
    return true;
  });
}

function lineText(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line]);
}

/** `[^label]: text`, with what is indented below it, at the top level only. */
function footnoteDefinition(
  state: StateBlock,
  startLine: number,
  endLine: number,
  isSilent: boolean,
): boolean {
  const indent = state.sCount[startLine] ?? 0;
  if (indent - state.blkIndent >= 4) return false;
  const match = /^\[\^([^\s[\]^]{1,100})\]:/.exec(lineText(state, startLine));
  if (!match) return false;
  // Within a list or quote it is text, unless it ends that by standing left of it.
  if (isSilent) return state.level === 0 || indent < state.blkIndent;
  if (state.level > 0) return false;
  const [marker, label = ''] = match;
  const open = state.push('footnote_open', '', 1);
  open.meta = { label: state.md.utils.normalizeReference(label) };
  const lines: [number, number] = [startLine, 0];
  open.map = lines;

  const [bMark = 0, tShift = 0] = [state.bMarks[startLine], state.tShift[startLine]];
  const { parentType } = state;
  const start = bMark + tShift + marker.length;
  const content = state.skipSpaces(start);
  state.bMarks[startLine] = start;
  state.tShift[startLine] = Math.min(content, state.eMarks[startLine] ?? 0) - start;
  // What follows the marker is a paragraph, however many spaces are between.
  state.sCount[startLine] = state.blkIndent + 4;
  state.blkIndent += 4;
  state.parentType = 'footnote';
  if (content < (state.eMarks[startLine] ?? 0)) {
    state.md.block.tokenize(state, startLine, endLine);
  } else {
    state.line = startLine + 1;
    const next = state.skipEmptyLines(startLine + 1);
    if (next < endLine && (state.sCount[next] ?? 0) >= state.blkIndent) {
      state.md.block.tokenize(state, next, endLine);
    }
  }
  state.blkIndent -= 4;
  state.parentType = parentType;
  state.bMarks[startLine] = bMark;
  state.tShift[startLine] = tShift;
  state.sCount[startLine] = indent;
  lines[1] = state.line;
  state.push('footnote_close', '', -1);
  return true;
}

/**
 * A formula between lines `$$` or `\[` and `\]`, or in one line of its own. It ends at a blank line
 * at the latest, and is text where it has no end, so that no stray `$$` swallows a reply.
 */
function mathBlock(
  state: StateBlock,
  startLine: number,
  endLine: number,
  isSilent: boolean,
): boolean {
  if ((state.sCount[startLine] ?? 0) - state.blkIndent >= 4) return false;
  const first = lineText(state, startLine).trimEnd();
  const single = /^\$\$([^$]+)\$\$$|^\\\[(.+)\\\]$/.exec(first);
  const source = single?.[1] ?? single?.[2];
  if (source?.trim() === '' || (single?.[2] !== undefined && !isFormula(single[2]))) return false;
  if (source === undefined && first !== '$$' && first !== '\\[') return false;
  if (isSilent) return true;
  let content = source?.trim();
  let end = startLine + 1;
  if (content === undefined) {
    const closing = first === '$$' ? '$$' : '\\]';
    for (; end < endLine && !state.isEmpty(end); end++) {
      if ((state.sCount[end] ?? 0) < state.blkIndent) break;
      if (lineText(state, end).trimEnd() !== closing) continue;
      content = state.getLines(startLine + 1, end, state.blkIndent, false).trim();
      end++;
      break;
    }
  }
  const token = state.push('math_block', '', 0);
  token.map = [startLine, end];
  token.markup = content === undefined ? 'open' : 'closed';
  token.info = first;
  token.content = content ?? state.getLines(startLine, end, state.blkIndent, false).trim();
  state.line = end;
  return true;
}

/**
 * Marks what is told by the beginning of a text: alerts (`> [!NOTE]`) and tasks (`- [x]`). Changes
 * the tokens in place, once for each parsing.
 */
export function markAlertsAndTasks(tokens: Token[]): void {
  for (let index = 0; index + 2 < tokens.length; index++) {
    const [open, paragraph, inline] = tokens.slice(index, index + 3);
    if (!open || paragraph?.type !== 'paragraph_open' || inline?.type !== 'inline') continue;
    if (open.type === 'list_item_open') markTask(open, inline);
    else if (open.type === 'blockquote_open') markAlert(tokens, index, inline);
  }
}

function markTask(item: Token, inline: Token): void {
  const match = /^\[([ xX])\]\s+(?=\S)/.exec(inline.content);
  if (!match) return;
  inline.content = inline.content.slice(match[0].length);
  inline.meta = { ...inline.meta, task: match[1] === ' ' ? 'open' : 'done' };
  item.attrSet('class', 'task-item');
}

function markAlert(tokens: Token[], openIndex: number, inline: Token): void {
  const match = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i.exec(inline.content);
  const open = tokens[openIndex];
  if (!match || !open) return;
  inline.content = inline.content.slice(match[0].length);
  const level = open.level;
  const close = tokens.findIndex((token, at) => at > openIndex && token.level === level);
  open.attrSet('class', `alert alert-${match[1]?.toLowerCase() ?? ''}`);
  open.type = 'alert_open';
  for (const token of [open, tokens[close]]) if (token) token.tag = 'div';
  const paragraph = tokens[openIndex + 1];
  if (inline.content !== '' || !paragraph) return;
  // Nothing but the marker is in the paragraph: `hidden` leaves its tags away.
  for (const token of [paragraph, tokens[openIndex + 3]]) if (token) token.hidden = true;
}
