import assert from 'node:assert/strict';
import { composeAnswer } from '../../../../src/docs/answers/answer';
import { addressesAt } from '../../../../src/docs/pages/links';
import { retrieve } from '../../../../src/docs/search/retrieval';
import type { ThreadTurn } from '../../../../src/docs/search/query';
import { aQuestion, filler, indexOf } from '../../service/docs';

const index = indexOf({
  'x.md': filler('invoices'),
  'y.md': filler('maps'),
  'queue.md': `# Queue

## Retries of messages

A message is tried [five times], with a pause of [ten seconds](y.md) before each retry, and is given up after the last retry of the message.

## Archive

The archive keeps the last message for thirty days.

[five times]: y.md
`,
  'pauses.md':
    '# Pauses\n\n## Messages in a pause\n\nAfter the last pause, each message is tried by a retry.\n',
});

interface Asked extends ThreadTurn {
  readonly reply: string;
}

function ask(question: string, earlier: readonly ThreadTurn[] = [], docs = index): Asked {
  const retrieval = retrieve(docs, aQuestion(question, { earlier }), undefined, 5);
  const { text } = composeAnswer({
    question,
    retrieval,
    index: docs,
    filter: undefined,
    addresses: addressesAt(() => 'http://127.0.0.1:4100'),
    isIndexed: true,
  });
  return {
    question,
    reply: text,
    citedRoutes: retrieval.sections.map(({ page }) => page.route),
  };
}

/** Returns the reply without its links. */
const passageOf = ({ reply }: Asked): string => reply.split('**Read more**')[0] ?? '';

describe('the reply to a follow-up', () => {
  const first = ask('How often is a message tried until the last retry?');
  const tried = /tried \[five times\]/;

  it('begins with another passage of the page, also one that the reply before linked', () => {
    assert.match(first.reply, /\*\*Read more\*\*[^]*The archive keeps/);
    assert.match(passageOf(first), tried);
    const second = passageOf(ask('And where is it then?', [first]));
    assert.match(second, /The archive keeps/);
    assert.doesNotMatch(second, tried);
  });

  it('begins as before where the same is asked again', () => {
    const once = ask('How about retries?');
    assert.match(passageOf(once), tried);
    assert.equal(ask('how about the retries', [once]).reply, once.reply);
  });

  it('begins with what answers best where the reply before isn’t known', () => {
    const { question, citedRoutes } = first;
    assert.match(passageOf(ask('And where is it then?', [{ question, citedRoutes }])), tried);
  });

  it('begins with the same passage where the docs have no other', () => {
    const only = indexOf({ 'keys.md': '# Keys\n\nA key lives for a year.\n' });
    const earlier = ask('How long does a key live?', [], only);
    assert.match(
      ask('And why is that?', [earlier], only).reply,
      /^This may help:\n\nA key lives for a year/,
    );
  });
});
