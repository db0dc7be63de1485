import { readExpression, type JsxValue, type Scope } from './jsxValues';
import type { MdxPiece } from './mdxPieces';

/** Lines that begin a list, a quote or code, in which tags mean something else. */
const otherBlock = /^ *(?:[-+*](?: |$)|\d{1,9}[.)](?: |$)|>|`{3}|~{3})/;
const tagName = /<(\/?)([A-Za-z_$][\w$-]*(?:\.[A-Za-z_$][\w$-]*)*)(?=[ \n/>])/y;
const attributeName = /[ \n]*([A-Za-z_$][\w$-]*)(?=[ \n/>=])(?:[ \n]*(=)[ \n]*)?/y;
const tagEnd = /[ \n]*(\/?)>/y;

/**
 * Reads MDX in which every tag stands on lines of its own and nothing else has a mark of MDX, as
 * most of it does. That is a small part of the grammar, and takes a small part of the time that the
 * parser of all of it takes.
 * @returns what that parser finds; `undefined` if it has to be asked.
 */
export function readPlainMdx(source: string, scope: Scope): MdxPiece[] | undefined {
  if (source.includes('\t')) return undefined;
  const pieces: MdxPiece[] = [];
  for (let at = 0; at < source.length;) {
    let start = at;
    while (source[start] === ' ') start++;
    if (source[start] !== '<') {
      const end = lineEnd(source, at);
      const line = source.slice(at, end);
      if (/[<{]/.test(line) || otherBlock.test(line)) return undefined;
      at = end + 1;
      continue;
    }
    while (source[start] === '<') {
      const tag = readTag(source, start, scope);
      if (!tag) return undefined;
      pieces.push(tag);
      start = tag.end;
      while (source[start] === ' ') start++;
    }
    if (start < source.length && source[start] !== '\n') return undefined;
    at = start + 1;
  }
  return pieces;
}

function lineEnd(source: string, from: number): number {
  const end = source.indexOf('\n', from);
  return end < 0 ? source.length : end;
}

function readTag(source: string, start: number, scope: Scope): MdxPiece | undefined {
  const [opening = '', slash = '', name = ''] = matchAt(tagName, source, start) ?? [];
  if (name === '') return undefined;
  const attributes = new Map<string, JsxValue>();
  for (let at = start + opening.length; ;) {
    const end = matchAt(tagEnd, source, at);
    if (end) {
      const isClosing = slash !== '';
      const isSelfClosing = end[1] !== '';
      if (isClosing && (isSelfClosing || attributes.size > 0)) return undefined;
      at += end[0].length;
      return {
        kind: 'tag',
        start,
        end: at,
        isFlow: true,
        name,
        attributes,
        isClosing,
        isSelfClosing,
      };
    }
    const [written = '', attribute = '', equals] = matchAt(attributeName, source, at) ?? [];
    if (attribute === '') return undefined;
    at += written.length;
    attributes.set(attribute, true);
    if (equals === undefined) continue;
    const valueEnd = endOfValue(source, at);
    if (valueEnd < 0) return undefined;
    const value = source.slice(at + 1, valueEnd - 1);
    if (source[at] !== '{') {
      // Entities are the other parser's.
      if (value.includes('&')) return undefined;
      attributes.set(attribute, value);
    } else {
      const read = readExpression(value, scope);
      if (!read.isValid) return undefined;
      if (read.value === undefined) attributes.delete(attribute);
      else attributes.set(attribute, read.value);
    }
    at = valueEnd;
  }
}

/** Where an attribute's value ends that begins here; negative if it does not. */
function endOfValue(source: string, start: number): number {
  const mark = source[start];
  if (mark === '"' || mark === "'") return source.indexOf(mark, start + 1) + 1 || -1;
  if (mark !== '{') return -1;
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const character = source.charCodeAt(at);
    if (character === 0x7b) depth++;
    else if (character === 0x7d && --depth === 0) return at + 1;
  }
  return -1;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
