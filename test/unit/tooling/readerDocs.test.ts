import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import * as v from 'valibot';

const textSchema = v.record(
  v.string(),
  v.union([
    v.string(),
    v.pipe(
      v.object({ message: v.string() }),
      v.transform((text) => text.message),
    ),
  ]),
);
const manifestSchema = v.object({
  contributes: v.object({
    configuration: v.array(v.object({ properties: v.record(v.string(), v.unknown()) })),
  }),
});

const parsed = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Commands of VS Code itself that the documents name. */
const commandsOfVsCode = ['Install from VSIX…', 'Source Action…'];

/** Documents for readers, with each paragraph on one line. */
const documents = [
  'README.md',
  'SECURITY.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md') && !name.startsWith('glossary.'))
    .map((name) => `docs/${name}`),
].map((file) => ({ file, text: readFileSync(file, 'utf8').replaceAll(/\n\s*/g, ' ') }));

describe('documents for readers', () => {
  it('name only commands that exist', () => {
    const titles = new Set([
      ...commandsOfVsCode,
      ...Object.values(v.parse(textSchema, parsed('package.nls.json'))),
      ...Object.keys(v.parse(v.record(v.string(), v.unknown()), parsed('l10n/bundle.l10n.json'))),
    ]);
    for (const { file, text } of documents) {
      const named = [...text.matchAll(/(?<!\*)\*([A-Z][^*]{2,40}?…)\*(?!\*)/g)];
      for (const [, name = ''] of named)
        assert.ok(titles.has(name.replace('Docs Assistant: ', '')), `${file}: ${name}`);
    }
  });

  it('name only settings that exist', () => {
    const { contributes } = v.parse(manifestSchema, parsed('package.json'));
    const settings = contributes.configuration.flatMap((group) => Object.keys(group.properties));
    for (const { file, text } of documents) {
      for (const [, name = ''] of text.matchAll(/`(docsAssistant\.\w[\w.]*)`/g))
        assert.ok(settings.includes(name), `${file}: ${name}`);
    }
  });
});
