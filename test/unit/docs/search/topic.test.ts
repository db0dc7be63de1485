import assert from 'node:assert/strict';
import { composeAnswer } from '../../../../src/docs/answers/answer';
import { addressesAt } from '../../../../src/docs/pages/links';
import type { DocsIndex } from '../../../../src/docs/search/docsIndex';
import { buildQuery } from '../../../../src/docs/search/query';
import { retrieve } from '../../../../src/docs/search/retrieval';
import type { Topic } from '../../../../src/docs/search/topic';
import { aQuestion, filler, indexOf } from '../../service/docs';

const pages = {
  'guards.md': `# Guards

A guard is a class with one method, which decides whether a request may pass.

## Binding guards

Guards can be bound to a route. Guards of a module are bound first, then guards of a route.
`,
  'pipes.md': `# Pipes

One method changes the input, or refuses it, before the handler of a route sees it. It can read a number from a text, say,
or check that each field is there, so that no handler has to do the same again.

A module can have pipes of its own, which come before those of a route.
`,
  'glossary.md': `# Words

A webhook is a request that we send to you.
`,
  'events.md': `# Events

Each webhook has a secret. Send a webhook again from the list of deliveries.
`,
  'x.md': filler('invoices'),
  'y.md': filler('maps'),
  'z.md': filler('trains'),
};
const index = indexOf(pages);
const topicOf = (question: string): Topic => buildQuery(aQuestion(question), index).topic;

function replyTo(question: string, docs: DocsIndex = index) {
  const retrieval = retrieve(docs, aQuestion(question), undefined, 5);
  return composeAnswer({
    question,
    retrieval,
    index: docs,
    filter: undefined,
    addresses: addressesAt(() => 'http://127.0.0.1'),
    isIndexed: true,
  });
}

describe('the topic of a question', () => {
  it('is named by a heading that has its words and no others', () => {
    const topic = topicOf('How do I use guards?');
    assert.equal(topic.likeness('Guards'), 1);
    assert.equal(topic.likeness('13.1. Guards'), 1);
    assert.ok(topic.likeness('Guards and pipes') < 1);
    assert.equal(topic.likeness('Guards of maps, trains and invoices'), 0);
    assert.equal(topic.likeness('Maps'), 0);
  });

  it('is hardly named by a heading that has a few of its words', () => {
    assert.equal(topicOf('Which trains do guards of invoices see on maps?').likeness('Guards'), 0);
  });

  it('has no name where the question has a name of code, which is found by its form', () => {
    assert.equal(topicOf('How do I use `useGuards`?').likeness('useGuards()'), 0);
  });

  it('is defined by a sentence that says what it is', () => {
    const definedIn = (question: string, text: string): boolean =>
      topicOf(question).isDefinedIn([{ kind: 'prose', markdown: text, text }]);
    assert.ok(definedIn('What is a webhook?', 'Hello. A webhook is a request.'));
    assert.ok(definedIn('Was ist ein Webhook?', 'Webhooks sind Anfragen.'));
    assert.ok(!definedIn('What is a webhook?', 'A webhook has a secret.'));
    assert.ok(!definedIn('What is a webhook?', 'Maps of webhooks are large.'));
  });

  for (const question of [
    'What is a guard?',
    'what are guards',
    'What’s a guard?',
    'what does a guard do',
    'Was sind Guards?',
    'Hello! We have a gateway in Docker. What are guards and pipes? Thanks.',
  ]) {
    it(`is what “${question}” asks about`, () => {
      assert.ok(topicOf(question).asksWhat);
    });
  }

  for (const question of [
    'What should guards do?',
    'What do guards eat?',
    'How do guards work?',
    'guards',
    'What is `x`?',
  ]) {
    it(`is not asked about as a whole by “${question}”`, () => {
      assert.ok(!topicOf(question).asksWhat);
    });
  }
});

describe('the reply to a question about a whole topic', () => {
  it('begins with the passage that says what it is, and not with one that names it more often', () => {
    assert.match(replyTo('what are guards').text, /^A guard is a class/);
    const docs = indexOf({
      'events.md': `# Events

Each webhook has a secret, and a webhook can be sent again from a list, by a person or by a program. It is kept
for a month, with the replies of your server and the time that they took.

A webhook is a request that we send to you. Its body is JSON.
`,
      'x.md': pages['x.md'],
    });
    assert.match(replyTo('What is a webhook?', docs).text, /^(?:This may help:\n\n)?A webhook is/);
  });

  it('begins with the first passage of its page, which says what the others are about', () => {
    assert.match(replyTo('what are pipes').text, /^One method changes the input/);
  });

  it('is sure where a sentence says what it is, and not where the docs only name it', () => {
    const one = (page: 'glossary.md' | 'events.md') =>
      indexOf({ [page]: pages[page], 'x.md': pages['x.md'], 'y.md': pages['y.md'] });
    assert.equal(replyTo('What is a webhook?', one('glossary.md')).tone, 'answer');
    assert.equal(replyTo('What is a webhook?', one('events.md')).tone, 'likely');
    assert.equal(replyTo('Can I send a webhook?', one('events.md')).tone, 'answer');
  });
});
