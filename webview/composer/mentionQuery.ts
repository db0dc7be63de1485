/** Where the text asks for something to attach: pure, so that it is tested without a browser. */

/** An unfinished `#…` that ends at the cursor. */
export interface MentionQuery {
  /** Place of the `#`, and of the cursor. */
  readonly start: number;
  readonly end: number;
  /** True for what follows `#file:`, which is a part of a path; else it is a part of a word. */
  readonly isFile: boolean;
  readonly text: string;
}

const MAX_QUERY_LENGTH = 200;

/**
 * The `#…` before the cursor, if it may become one that attaches something: a `#` at the start of a
 * word with letters only behind it, or `#file` with a colon or a space and a part of a path.
 * Headings, numbers of issues, colours and anchors are none.
 */
export function mentionAt(text: string, cursor: number): MentionQuery | undefined {
  const before = text.slice(Math.max(0, cursor - MAX_QUERY_LENGTH), cursor);
  const match = /(?<=^|[\s([{"'“‘])#(?:file(?<sign>[: ])(?<path>[^\s#]*)|(?<word>[a-z]*))$/i.exec(
    before,
  );
  if (!match) return undefined;
  const { path, word } = match.groups ?? {};
  const offset = cursor - before.length;
  // What stands where the text was cut may be the rest of a longer word.
  if (match.index === 0 && offset > 0) return undefined;
  return {
    start: offset + match.index,
    end: cursor,
    isFile: path !== undefined,
    text: path ?? word ?? '',
  };
}

/** The text without the mention, and without the second of two spaces that it stood between. */
export function withoutMention(
  text: string,
  { start, end }: Pick<MentionQuery, 'start' | 'end'>,
): { readonly text: string; readonly cursor: number } {
  const before = text.slice(0, start);
  const after = text.slice(end);
  const isDoubled = /(?:^|\s)$/.test(before) && after.startsWith(' ');
  return { text: before + (isDoubled ? after.slice(1) : after), cursor: start };
}
