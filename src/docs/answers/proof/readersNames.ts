import { nameKey, type Token, tokensOf } from './tokens';

/** Matches quoted text without a line break, in which a reader's code has plain words as names. */
const quoted = /(?<!\p{L})(['"`])([^'"`\n]{1,80})\1(?!\p{L})/gu;
/** Matches flags and versions, which belong to the product even if the reader mentions them. */
const productsName = /^-|^v?\d/i;
/** Matches words before a name with which a statement says that the docs' product has it. */
const advice =
  /^(?:add|call|configure|enable|disable|import|pass|run|set|try|use|using|via|with|aktivier\w*|benutz\w*|nutz\w*|ruf\w*|setz\w*|verwend\w*)$/i;
const articles =
  /^(?:a|an|the|your|new|option|options|setting|flag|function|method|parameter|den|die|das|eine?n?)$/i;

/**
 * Returns the keys of the names in the question and its attachments: those that look like code, and the words
 * of quoted code. A plain word such as "timeout" is none, because a reply can invent an option from it.
 */
export function readersNamesOf(texts: readonly string[]): ReadonlySet<string> {
  const names = texts.flatMap((text) => {
    const code = [...text.matchAll(quoted)]
      .filter(([, , span = '']) => !/\s/.test(span))
      .map(({ index, 0: span }) => ({ start: index, end: index + span.length }));
    return tokensOf(text, code).filter(({ kind }) => kind === 'name');
  });
  return new Set(
    names
      .filter(({ written }) => !productsName.test(written))
      .map(({ written }) => nameKey(written)),
  );
}

/**
 * Returns the tokens of a statement without the reader's own names that the docs don't have. A name stays if
 * the statement tells the reader to use it.
 */
export function withoutReadersNames(
  tokens: readonly Token[],
  readersNames: ReadonlySet<string>,
  isInDocs: (token: Token) => boolean,
): readonly Token[] {
  return tokens.filter((token, at) => {
    if (token.kind !== 'name' || !readersNames.has(token.key) || isInDocs(token)) return true;
    const before = tokens.slice(0, at).findLast(({ written }) => !articles.test(written));
    return before !== undefined && advice.test(before.written);
  });
}
