/** Finds the place in a question that asks to attach something. This file needs no browser. */
import { type MentionGroup, mentionGroups } from '../../src/shared/protocol';

/** An unfinished `#…` that ends at the cursor. */
export interface MentionQuery {
  /** Position of the `#` and of the cursor. */
  readonly start: number;
  readonly end: number;
  /** Kind of which a list is shown, behind `#file:` or `#package:`. Undefined if the query is part of a word. */
  readonly group: MentionGroup | undefined;
  readonly text: string;
}

const MAX_QUERY_LENGTH = 200;

/**
 * Returns the `#…` before the cursor, if it may attach something: a `#` at the start of a word
 * followed only by letters, or `#file` or `#package` with a colon or a space and part of a path or
 * name. Headings, issue numbers, colors and anchors don't count.
 */
export function mentionAt(text: string, cursor: number): MentionQuery | undefined {
  const before = text.slice(Math.max(0, cursor - MAX_QUERY_LENGTH), cursor);
  const match =
    /(?<=^|[\s([{"'“‘])#(?:(?<group>file|package)[: ](?<path>[^\s#]*)|(?<word>[a-z]*))$/i.exec(
      before,
    );
  if (!match) return undefined;
  const { group, path, word } = match.groups ?? {};
  const offset = cursor - before.length;
  // The text was cut there, so this may be the rest of a longer word.
  if (match.index === 0 && offset > 0) return undefined;
  return {
    start: offset + match.index,
    end: cursor,
    group: mentionGroups.find((known) => known === group?.toLowerCase()),
    text: path ?? word ?? '',
  };
}

/** Returns where the text goes on without the mention, and without one of the two spaces around it. */
export function endOfMention(
  text: string,
  { start, end }: Pick<MentionQuery, 'start' | 'end'>,
): number {
  const isDoubled = /(?:^|\s)$/.test(text.slice(0, start)) && text.startsWith(' ', end);
  return isDoubled ? end + 1 : end;
}
