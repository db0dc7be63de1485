import type { DocsNames } from './docsNames';
import { dataNames, type NamesToFind, shellNames } from './formatNames';
import { programNames } from './programNames';
import type { ReplyCode } from './statements';

const shells = new Set('bash sh shell zsh console shellsession terminal powershell cmd'.split(' '));
const formats = new Set('json jsonc json5 yaml yml toml ini env dotenv properties http'.split(' '));
const programs = new Set(
  `ts tsx typescript js jsx mjs cjs javascript node py python py3 pycon go golang java kotlin kt cs csharp php
  ruby rb rust rs swift scala dart vue svelte`.split(/\s+/),
);

/** Matches placeholders in examples, which stand for the reader's own names. */
const placeholder =
  /^(?:foo|bar|baz|qux|example|sample|placeholder|dummy|my|your|some)(?:$|[A-Z_\d-])|^(?:YOUR|MY|EXAMPLE|XXX)|^.$|^_|\d{4,}/;

/** Maximum characters of code to compare. Longer code is a whole file, with many names of the reader. */
const MAX_CODE = 20_000;

/**
 * Returns the names of functions, methods, options, flags and imports in code that occur nowhere in
 * the docs. Returns each name once, and leaves out names of the language, of other libraries and of the
 * reader.
 */
export function unknownCodeNames(
  blocks: readonly ReplyCode[],
  docs: DocsNames,
  readersTexts: readonly string[],
): string[] {
  const readers = new Set(
    readersTexts.flatMap((text) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []),
  );
  const unknown = new Set<string>();
  for (const block of blocks) {
    const { names, flags } = namesToFind(block, docs);
    for (const name of names) {
      if (!placeholder.test(name) && !readers.has(name) && !docs.hasName(name)) unknown.add(name);
    }
    for (const flag of flags) if (!docs.hasFlag(flag)) unknown.add(flag);
  }
  return [...unknown];
}

function namesToFind({ language, code }: ReplyCode, docs: DocsNames): NamesToFind {
  const text = code.slice(0, MAX_CODE);
  if (shells.has(language)) return shellNames(text, docs);
  if (formats.has(language)) return { names: dataNames(text, language, docs), flags: [] };
  if (programs.has(language)) return { names: programNames(text, language, docs), flags: [] };
  return { names: [], flags: [] };
}
