import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writtenFileSchema } from '../../../src/questions/questionSchema';
import { readQuestionFile } from '../../../src/questions/readQuestionFile';
import { questionJsonSchema } from '../../tooling/questionJsonSchema.mjs';

interface JsonSchema {
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly description?: string;
}

const text = readFileSync('docs-questions.schema.json', 'utf8');
const written = JSON.parse(text) as JsonSchema;
const file = written.anyOf?.find(({ properties }) => properties);
const question = file?.properties?.['questions']?.items?.anyOf?.find(
  ({ properties }) => properties,
);

describe('docs-questions.schema.json', () => {
  it('is what `npm run schema` writes', () => {
    assert.deepEqual(written, JSON.parse(questionJsonSchema(writtenFileSchema)));
  });

  it('describes every key for the completion of editors', () => {
    const keys = { ...file?.properties, ...question?.properties };
    assert.ok(Object.keys(keys).length > 10);
    for (const [key, { description }] of Object.entries(keys)) {
      if (key !== '$schema') assert.match(description ?? '', /^[A-Z].*\.$/, key);
    }
  });

  it('has the same keys as the reader', () => {
    const lines = Object.keys(question?.properties ?? {}).map((key) => `  ${key}:\n`);
    const settings = Object.keys(file?.properties ?? {}).map((key) => `${key}:\n`);
    const read = readQuestionFile(
      `${settings.join('').replace('questions:\n', '')}questions:\n- ${lines.join('').trim()}\n`,
    );
    const unknown = read.problems.filter(({ severity }) => severity === 'warning');
    assert.deepEqual(unknown, []);
  });
});
