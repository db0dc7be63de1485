import assert from 'node:assert/strict';
import { composeAnswer } from '../../../../src/docs/answers/answer';
import { addressesAt } from '../../../../src/docs/pages/links';
import { retrieve } from '../../../../src/docs/search/retrieval';
import type { ThreadTurn } from '../../../../src/docs/search/query';
import { aQuestion, filler, indexOf } from '../../service/docs';

const index = indexOf({
  'x.md': filler('invoices'),
  'y.md': filler('maps'),
  'messages.md': `# Messages

## Retries of messages

A message is tried [five times](y.md), with a pause of ten seconds before each retry, and is given up after the last retry of the message.

## Messages in the archive

The archive keeps each message for thirty days after it was tried and dropped.
`,
  'pauses.md': '# Pauses\n\n## Pause the queue\n\nA pause of the queue holds every message back.\n',
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
  const first = ask('How often is a message tried?');
  const tried = /tried \[five times\]/;

  it('begins with another passage of the page than the reply before', () => {
    assert.match(passageOf(first), tried);
    const second = passageOf(ask('And where is it then?', [first]));
    assert.match(second, /The archive keeps/);
    assert.doesNotMatch(second, tried);
  });

  it('can begin with what the reply before only linked', () => {
    assert.match(first.reply, /\*\*Read more\*\*[^]*The archive keeps/);
    assert.match(passageOf(ask('And what keeps it?', [first])), /The archive keeps/);
  });

  it('begins as before where the same is asked again', () => {
    assert.equal(ask('How often is the message tried', [first]).reply, first.reply);
  });

  it('begins with what answers best where the reply before isn’t known', () => {
    const { question, citedRoutes } = first;
    assert.match(passageOf(ask('And where is it then?', [{ question, citedRoutes }])), tried);
  });

  it('begins with the same passage where the docs have no other', () => {
    const only = indexOf({ 'keys.md': '# Keys\n\nA key lives for a year.\n' });
    const earlier = ask('How long does a key live?', [], only);
    assert.match(ask('And why is that?', [earlier], only).reply, /A key lives for a year/);
  });
});
