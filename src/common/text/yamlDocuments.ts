/** Parses YAML that can come from anywhere: with limits on its size and depth, and without repeated work. */
import { Composer, type CST, type Document, type LineCounter, Parser } from 'yaml';

export type YamlDocument = Document.Parsed;

/** Maximum levels of maps and lists. The library recurses, so thousands would overflow the stack. */
const MAX_DEPTH = 100;

/** Error for a text that is too large or nested too deeply to be parsed. */
export class UnreasonableYaml extends Error {
  override readonly name = 'UnreasonableYaml';

  constructor(readonly problem: 'too-large' | 'too-deep') {
    super(problem);
  }
}

/** Options of {@link parseYaml}. */
interface YamlOptions {
  /** Most characters (UTF-16 code units) that are parsed. */
  readonly maxLength: number;
  /** Counter that gets the start of each line, for the lines of what is found. */
  readonly lines?: LineCounter;
  /** Rules for scalars. `failsafe` takes all of them for text. */
  readonly schema?: 'failsafe';
  /** Whether a repeated key is an error. The library then compares each key with all others of its map. */
  readonly hasUniqueKeys?: boolean;
}

/**
 * Parses all documents with their errors.
 * @throws {UnreasonableYaml}
 */
export function parseYaml(text: string, options: YamlOptions): readonly YamlDocument[] {
  const { lines, maxLength, schema, hasUniqueKeys: uniqueKeys = false } = options;
  if (text.length > maxLength) throw new UnreasonableYaml('too-large');
  const tokens = [...new Parser(lines?.addNewLine).parse(text)];
  if (isTooDeep(tokens)) throw new UnreasonableYaml('too-deep');
  const settings = { keepSourceTokens: true, logLevel: 'silent', uniqueKeys } as const;
  // An undefined schema would replace the schema that a `%YAML` line asks for.
  const composer = new Composer(schema === undefined ? settings : { ...settings, schema });
  return [...composer.compose(tokens)];
}

function isTooDeep(tokens: readonly CST.Token[]): boolean {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap(tokensBelow);
  }
  return false;
}

function tokensBelow(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [
    ...(key ? [key] : []),
    ...(value ? [value] : []),
  ]);
}
