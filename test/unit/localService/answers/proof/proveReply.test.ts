import assert from 'node:assert/strict';
import type { Proof } from '../../../../../src/shared/proof';
import { docsNamesOf } from '../../../../../src/localService/answers/proof/docsNames';
import { proveReply } from '../../../../../src/localService/answers/proof/proveReply';
import { indexOf } from '../../docs';

const index = indexOf({
  'limits.md': `# Limits

## Uploads

A file can be up to 10 MB. Uploads time out after 30 seconds.

## Retries

Failed calls are retried 3 times. Set \`maxRetries\` to change that.

\`\`\`ts
import { Client } from '@acme/sdk';

const client = new Client({ maxRetries: 5 });
await client.files.upload('a.pdf');
\`\`\`
`,
});
const [uploads, retries] = [...index.pages()].flatMap((page) =>
  page.sections.map((section) => ({ page, section })),
);
const sections = [uploads, retries].flatMap((found) => found ?? []);

function prove(text: string, readersTexts: readonly string[] = []): Proof {
  return proveReply({ text, sections, docsNames: docsNamesOf(index), readersTexts });
}

describe('proveReply', () => {
  it('finds what the cited section says in other words', () => {
    assert.deepEqual(prove('Files may not be larger than 10,000 KB [1].'), {
      statements: 1,
      found: 1,
      unproven: [],
    });
  });

  it('names the number that the cited section does not have', () => {
    const { unproven } = prove('A file can be up to 20 MB [1](http://x/limits#uploads).');
    assert.deepEqual(unproven, [
      { quote: 'A file can be up to 20 MB.', reason: 'number', missing: ['20 MB'] },
    ]);
  });

  it('marks a statement without any citation', () => {
    const { unproven } = prove('A file can be up to 10 MB.');
    assert.deepEqual(unproven, [
      { quote: 'A file can be up to 10 MB.', reason: 'uncited', missing: [] },
    ]);
  });

  it('has nothing to say about a reply without sections', () => {
    const docsNames = docsNamesOf(index);
    const proof = proveReply({ text: 'It is 10 MB.', sections: [], docsNames, readersTexts: [] });
    assert.deepEqual(proof, { statements: 0, found: 0, unproven: [] });
  });
});
