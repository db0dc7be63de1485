import { nameKey, type Token, tokensOf } from './tokens';

/** Matches quoted text without a line break, in which a reader's code has plain words as names. */
const quoted = /(?<!\p{L})(['"`])([^'"`\n]{1,80})\1(?!\p{L})/gu;
/** Matches the names of files and hosts, such as `pnpm-lock.yaml`, whose parts look like plain words. */
const dotted = /(?<![\p{L}\p{N}._/-])\.?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu;
/** Matches flags and versions, which belong to the product even if the reader mentions them. */
const productsName = /^-|^v?\d/i;
/** Matches words before a name with which a statement says that the docs' product has it. */
const advice =
  /^(?:add|call|configure|enable|disable|import|pass|run|set|try|use|using|via|with|aktivier\w*|benutz\w*|nutz\w*|ruf\w*|setz\w*|verwend\w*)$/i;
const articles =
  /^(?:a|an|the|your|new|option|options|setting|flag|function|method|parameter|den|die|das|eine?n?)$/i;

/** Matches a word before a number with which a statement says what the docs' product has. */
const links = /^(?:is|are|to|at|ist|sind|auf|bei)$/i;

/**
 * Returns the keys of the names and numbers in the question and its attachments: numbers, files, hosts, names that
 * look like code, and the words of quoted code. A plain word such as "timeout" is none, because a reply can invent
 * an option from it.
 */
export function readersNamesOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap((text) => {
      const files = [...text.matchAll(dotted)];
      const code = [...text.matchAll(quoted)]
        .filter(([, , span = '']) => !/\s/.test(span))
        .concat(files)
        .map(({ index, 0: span }) => ({ start: index, end: index + span.length }));
      const named = tokensOf(text, code).filter(
        ({ kind, written }) =>
          kind === 'number' || (kind === 'name' && !productsName.test(written)),
      );
      return [...named.map(keyOf), ...files.map(([span]) => nameKey(span))];
    }),
  );
}

/** Returns the same key for the same number in other words, such as "12 minute" and "12 minutes". */
function keyOf(token: Token): string {
  if (token.kind !== 'number') return nameKey(token.written);
  const { values, unit } = token.quantity;
  return `${values.join('|')} ${unit?.kind ?? ''} ${unit?.size ?? ''}`;
}

/**
 * Returns the tokens of a statement without the reader's own names and numbers that the docs don't have. One stays
 * if the statement tells the reader to use it, or says that it is a value of the product.
 */
export function withoutReadersNames(
  tokens: readonly Token[],
  readersNames: ReadonlySet<string>,
  isInDocs: (token: Token) => boolean,
): readonly Token[] {
  return tokens.filter((token, at) => {
    if (token.kind === 'word' || !readersNames.has(keyOf(token)) || isInDocs(token)) return true;
    const before = tokens.slice(0, at).findLast(({ written }) => !articles.test(written));
    return before !== undefined && (token.kind === 'name' ? advice : links).test(before.written);
  });
}
