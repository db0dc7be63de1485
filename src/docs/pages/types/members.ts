/** The members of classes, interfaces, enums and object types. */
import { isBody, isNewStart, signatureText } from './signatures';
import { lineAt, type Tokens } from './tokens';

export interface Member {
  /** Name as in the code. `()` for a call signature, `new ()` for a constructor, `[key]` for an index signature. */
  readonly name: string;
  /** Text without comments. */
  readonly signature: string;
  /** Doc comment with its marks, or an empty text. */
  readonly doc: string;
  /** Line of the member, from 1. */
  readonly line: number;
  readonly isStatic: boolean;
  /** Documented fields of object types in the signature. */
  readonly members: readonly Member[];
}

/** Maximum number of object types in one another that are searched for documented fields. */
const MAX_DEPTH = 6;
/** Maximum number of members of one declaration. */
const MAX_MEMBERS = 5000;

const memberModifiers = new Set(
  'public protected static abstract override readonly declare async accessor get set'.split(' '),
);

/**
 * Returns the members of a declaration from one token to another. Returns all members of the body of a class, an
 * interface or an enum, and only the documented fields of the object types in another declaration.
 * @param kind kind of the body that begins at the first token.
 */
export function declaredMembers(
  tokens: Tokens,
  start: number,
  end: number,
  kind?: 'class' | 'interface' | 'enum',
): Member[] {
  const members: Member[] = [];
  if (kind) addMembers(tokens, start, kind, 0, members);
  else addFields(tokens, start, end, 0, members);
  return members;
}

/** Adds the documented fields of the object types from one token to another. */
function addFields(
  tokens: Tokens,
  start: number,
  end: number,
  depth: number,
  members: Member[],
): void {
  const { texts, closes } = tokens;
  if (depth >= MAX_DEPTH) return;
  for (let at = start; at < end; at++) {
    if (texts[at] !== '{') continue;
    const found: Member[] = [];
    addMembers(tokens, at, 'type', depth + 1, found);
    for (const member of found) {
      if (member.doc !== '' || member.members.length > 0) members.push(member);
    }
    at = Math.max(at, closes[at] ?? -1);
  }
}

function addMembers(
  tokens: Tokens,
  open: number,
  kind: 'class' | 'interface' | 'enum' | 'type',
  depth: number,
  members: Member[],
): void {
  const { texts, closes, source, docs, starts } = tokens;
  const close = closes[open] ?? open;
  const isEnd = texts[close] === '}' ? close : close + 1;
  for (let start = open + 1; start < isEnd && members.length < MAX_MEMBERS;) {
    const end = memberEnd(tokens, start, isEnd, kind);
    if (end > start) {
      const name = memberName(tokens, start, end);
      if (name !== undefined) {
        const place = docs.get(start);
        const nested: Member[] = [];
        addFields(tokens, start, end, depth, nested);
        members.push({
          name: name.text,
          signature: signatureText(tokens, start, end),
          doc: place ? source.slice(place.start, place.end) : '',
          line: lineAt(tokens, starts[start] ?? 0),
          isStatic: name.isStatic,
          members: nested,
        });
      }
    }
    // The separator isn't part of the member.
    start = texts[end] === ';' || texts[end] === ',' ? end + 1 : Math.max(end, start + 1);
  }
}

/** Returns the index after the last token of a member, where its separator is. */
function memberEnd(
  tokens: Tokens,
  start: number,
  end: number,
  kind: 'class' | 'interface' | 'enum' | 'type',
): number {
  const { texts, closes } = tokens;
  for (let at = start; at < end;) {
    const text = texts[at];
    if (text === ';' || text === ',') return at;
    if (at > start && isNewStart(tokens, at)) return at;
    // A method of a source file has a body.
    if (at > start && isBody(tokens, at)) return Math.max(at, closes[at] ?? -1) + 1;
    // `1 << 2` in an enum has no brackets.
    const isBracket = kind !== 'enum' || text !== '<';
    at = Math.max(at, isBracket ? (closes[at] ?? -1) : -1) + 1;
  }
  return end;
}

/** Returns the name of a member, or undefined for a private one. */
function memberName(
  { texts, closes }: Tokens,
  start: number,
  end: number,
): { readonly text: string; readonly isStatic: boolean } | undefined {
  let at = start;
  let isStatic = false;
  const isLast = (index: number): boolean =>
    index >= end || ['(', '<', ':', '?', '=', '!'].includes(texts[index] ?? '');
  while (!isLast(at + 1)) {
    const text = texts[at] ?? '';
    if (text === 'private') return undefined;
    if ((text === '-' || text === '+') && texts[at + 1] === 'readonly') {
      at++;
      continue;
    }
    if (!memberModifiers.has(text)) break;
    isStatic ||= text === 'static';
    at++;
  }
  const text = texts[at] ?? '';
  if (text.startsWith('#')) return undefined;
  if (text === '(' || text === '<') return { text: '()', isStatic };
  if (text === 'new' && (texts[at + 1] === '(' || texts[at + 1] === '<'))
    return { text: 'new ()', isStatic };
  if (text === '[') {
    const inside = texts.slice(at + 1, Math.min(closes[at] ?? at, at + 12));
    const [first = ''] = inside;
    // `['async']` is another way to write `async`.
    if (inside.length === 1 && /^["']/.test(first)) return { text: first.slice(1, -1), isStatic };
    // `[Symbol.iterator]` is a name, `[key: string]` an index signature.
    return {
      text: inside.includes(':') || inside.includes('in') ? '[key]' : `[${inside.join('')}]`,
      isStatic,
    };
  }
  if (/^["']/.test(text)) return { text: text.slice(1, -1), isStatic };
  return /^[\p{L}\p{N}_$]/u.test(text) ? { text, isStatic } : undefined;
}
