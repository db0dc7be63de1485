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

describe('a question that is a title or a heading', () => {
  const other = (count: number, of: string): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `${at}.md`,
        `# Recipe ${at}\n\n${`${of} ${of}. `.repeat(20)}\n\n## More ${of}\n\nSee ${of}.`,
      ]),
    );
  const docs = indexOf({
    ...other(8, 'Logger'),
    'logger.md': '# The logger\n\nLines are written.\n\n## Levels\n\nA logger has five.\n',
    'state.md': '# useState\n\nValues are kept.\n\n## Typing `useState`\n\nA useState type.\n',
    'types.md': '# Types\n\nThe types of all hooks.\n\n## Typing `useState`\n\nuseState has one.\n',
    'use.md': '# use\n\nPromises are read.\n\n## Usage\n\nUse it to read.\n',
    'maps.md': '# Maps\n\nMaps have trains.\n\n## Zoom of maps\n\nTurn the wheel.\n',
    'zoom.md': '# Views\n\n## Zoom\n\nSet a number. A zoom of maps zooms maps.\n',
    'legends.md': `# Legends of the map\n\n${'A map has a legend. '.repeat(9)}\n`,
    'prints.md': `# Prints\n\n${filler('paper')}\n\n## Map legend\n\nSigns are explained.\n`,
    'chapter.md':
      '# 13.2. Row locks\n\nA row is locked once.\n\n## Row locks of row locks\n\nRow.\n',
  });

  for (const [question, beginning] of [
    ['Logger', 'Lines are written'],
    ['what are loggers?', 'Lines are written'],
    ['useState', 'Values are kept'],
    ['usestate', 'Values are kept'],
    ['What does `useState` do?', 'Values are kept'],
    ['use', 'Promises are read'],
    ['map-legend', 'Signs are explained'],
    ['zoom of maps', 'Turn the wheel'],
    ['map legend', 'Signs are explained'],
    ['13.2. Row locks', 'A row is locked once'],
    ['row lock', 'A row is locked once'],
  ] as const) {
    it(`is answered from there: “${question}”`, () => {
      const { text, tone } = replyTo(question, docs);
      assert.ok(text.startsWith(beginning), text);
      assert.equal(tone, 'answer');
    });
  }

  it('is found in docs in which the words of the title are in all other pages', () => {
    const many = indexOf({
      ...other(40, 'Logger'),
      'logger.md': '# Logger\n\nLines are written.\n',
    });
    const [first] = retrieve(many, aQuestion('logger'), undefined, 5).sections;
    assert.equal(first?.page.path, 'logger.md');
  });

  it('asks nothing else: other words can mean something else', () => {
    const topic = topicOf('Why are my guards not used?');
    assert.ok(!topic.isName('Guards'));
    assert.ok(topicOf('What are my guards?').isName('Guards'));
    assert.ok(!topicOf('and of it?').isName('And if not'));
  });

  it('is no follow-up, which needs the questions before it', () => {
    const earlier = [{ question: 'How do I bind guards?', citedRoutes: [] }];
    const { topic } = buildQuery({ ...aQuestion('And for pipes?'), earlier }, index);
    assert.ok(!topic.isName('Pipes'));
  });

  it('is cited once', () => {
    const { sources } = replyTo('Logger', docs);
    assert.equal(new Set(sources.map(({ url }) => url)).size, sources.length);
  });
});
