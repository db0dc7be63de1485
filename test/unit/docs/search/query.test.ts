import assert from 'node:assert/strict';
import { askingSentences, buildQuery } from '../../../../src/docs/search/query';
import { aQuestion, filler, indexOf, turnsOf } from '../../service/docs';

const index = indexOf({
  'retries.md': '# Retries\n\nRaise the limit of retries for webhooks.\n',
  'docker.md': '# Docker\n\nRun the gateway in a container behind a proxy.\n',
  'filler.md': filler('parcels'),
});

const termsOf = (text: string, earlier: readonly string[] = []): ReadonlyMap<string, number> =>
  buildQuery(aQuestion(text, { earlier: turnsOf(...earlier) }), index).terms;

const story = 'We run the gateway in Docker behind a proxy.';
const question = 'How do I raise the limit of retries?';

describe('the sentences of a question that ask something', () => {
  for (const asking of [
    'It fails, why?',
    'how do I raise it',
    'Whats the limit',
    'is it safe',
    'I wonder how to raise it',
    'I would like to know what happens then',
    'tell me if there is a limit or are there two',
    'Wie hoch ist das Limit',
    'Können Pakete warten',
    'Ich weiß nicht, wie ich das mache',
  ]) {
    it(`have “${asking}” among them`, () => {
      assert.deepEqual(askingSentences(`Hello there. ${asking}`), [asking]);
    });
  }

  for (const other of [
    'Hello everyone!',
    'Thanks in advance.',
    'My boss wants it by Friday.',
    'Issues like this one annoy me.',
    'Wir nutzen Docker.',
  ]) {
    it(`don’t have “${other}” among them`, () => {
      assert.deepEqual(askingSentences(`${other} ${question}`), [question]);
    });
  }

  it('end at the end of a line, too', () => {
    assert.deepEqual(askingSentences(`hi\n${question}\nthanks`), [question]);
  });
});

describe('a question within a longer message', () => {
  it('is searched with the words of its other sentences as with those of attached text', () => {
    const terms = termsOf(`${story} ${question} Thanks!`);
    assert.deepEqual(
      ['limit', 'gateway', 'docker'].map((term) => terms.get(term)),
      [1, 0.35, 0.35],
    );
  });

  it('is told from them in the tone of its reply: their words are not its topic', () => {
    const { own } = buildQuery(aQuestion(`${story} ${question}`), index);
    assert.deepEqual(own, buildQuery(aQuestion(question), index).own);
  });

  it('is the whole message where the sentences that ask say too little', () => {
    for (const asking of ['How do I do this?', 'Is there a safe way to win that back?']) {
      assert.equal(termsOf(`Raise the limit of retries. ${asking}`).get('limit'), 1);
    }
  });

  it('keeps the names of code and the errors of the other sentences', () => {
    const terms = termsOf(
      `This is what I do with \`gatewayProxy\`.\nTypeError: no container found\n${question}`,
    );
    assert.deepEqual(
      ['gateway', 'container'].map((term) => terms.get(term)),
      [1, 1],
    );
  });

  it('is what later questions go on with', () => {
    const terms = termsOf('And for webhooks?', [`${story} ${question}`]);
    assert.ok(terms.has('limit'));
    assert.ok(!terms.has('docker'));
  });
});
