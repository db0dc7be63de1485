import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { type CheckedReply, checkReply } from '../../../../src/questions/check/checkReply';
import { questionOf } from '../asking';

/** Returns the reasons why a reply fails a question with these expectations. */
function reasons(
  expectations: string,
  text: string,
  urls: readonly string[] = ['/guides/keys'],
  reply: Partial<CheckedReply> = {},
): readonly string[] {
  return checkReply(
    questionOf(`- question: How?\n${expectations.replace(/^/gm, '  ')}`),
    { text, sources: urls.map((url) => ({ url })), isLocal: false, isClosest: false, ...reply },
    plainTranslate,
  );
}

describe('checkReply', () => {
  it('requires all pages among the first sources, and counts the sections of a page once', () => {
    const urls = ['/a#one', '/a#two', '/b', '/c', '/d'];
    assert.deepEqual(reasons('pages: [a, c]\nfirst: 3', 'x', urls), []);
    assert.deepEqual(reasons('pages: [a, d, e]\nfirst: 3', 'x', urls), [
      '“d” is only source 4. It must be among the first 3.',
      '“e” is not among the sources.',
      'The first sources are: /a#one, /b, /c.',
    ]);
  });

  it('accepts one of several pages', () => {
    assert.deepEqual(reasons('anyPage: [x, b]', 'x', ['/a', '/b']), []);
    assert.deepEqual(reasons('anyPage: [x, y]', 'x', ['/a', '/b']), [
      'None of these is among the first 5 sources: x, y.',
      'The first sources are: /a, /b.',
    ]);
  });

  it('says that there are no sources', () => {
    assert.deepEqual(reasons('pages: a', 'x', []), ['The reply has no sources.']);
  });

  it('treats a reply without sources as no answer only if every answer has sources', () => {
    assert.deepEqual(reasons('', 'Nothing found.', [], { isLocal: true }), [
      'The docs don’t answer the question.',
    ]);
    assert.deepEqual(reasons('', 'Hello.', []), []);
  });

  it('fails an answer to a question that the docs must refuse', () => {
    assert.deepEqual(reasons('refuses: true', 'Nothing found.', [], { isLocal: true }), []);
    assert.deepEqual(reasons('refuses: true', 'Closest:', ['/a'], { isClosest: true }), []);
    assert.deepEqual(reasons('refuses: true', 'Like this.', ['/a']), [
      'The docs answered, but they must refuse this question.',
    ]);
  });

  for (const [rule, text] of [
    ['both keys', 'Keep **both\n  keys** for a while.'],
    ['BOTH KEYS', 'keep `both keys`'],
    ["don't", 'You don’t need it.'],
    ['key', 'A key. Or monkeys.'],
    ['429', 'It answers 429.'],
    ['C++', 'Use C++ here.'],
    ['キー', '両方のキーを使う'],
    ['e-mail', 'Send an e‑mail.'],
    ['https://acme.com/a', 'See [this](https://acme.com/a).'],
    ['npm install', '```sh\nnpm install acme\n```'],
    ['/v[12]/', 'use v2'],
    ['/^Keep/m', 'First.\n\nKeep it.'],
    ['/KEEP/i', 'Keep it.'],
    ['docs/keys', 'In `docs/keys`.'],
    ['/usr/local/bin', 'Put it into `/usr/local/bin`.'],
    ['/api/users', 'Call `GET /api/users`.'],
  ] as const) {
    it(`finds “${rule}” in ${JSON.stringify(text)}`, () => {
      const yaml = JSON.stringify(rule);
      assert.deepEqual(reasons(`contains: [${yaml}]`, text), []);
      const [reason = ''] = reasons(`excludes: [${yaml}]`, text);
      assert.ok(reason.startsWith(`The reply says “${rule}”: “`), reason);
    });
  }

  for (const [rule, text] of [
    ['key', 'monkeys and api_key and keys'],
    ['v1', 'v10, /api_v1_old'],
    ['both keys', 'both of the keys'],
    ['/Keep/', 'keep it'],
    ['/^it/', 'keep it'],
  ] as const) {
    it(`doesn’t find “${rule}” in ${JSON.stringify(text)}`, () => {
      const yaml = JSON.stringify(rule);
      assert.deepEqual(reasons(`contains: [${yaml}]`, text), [`The reply doesn’t say “${rule}”.`]);
      assert.deepEqual(reasons(`excludes: [${yaml}]`, text), []);
    });
  }

  it('quotes only the words around what the reply must not say', () => {
    const text = `${'before '.repeat(50)}deprecated${' behind'.repeat(50)}`;
    const [reason = ''] = reasons('excludes: deprecated', text);
    assert.match(reason, /: “….{0,40} deprecated behind.{0,40}…”$/);
    assert.ok(reason.length < 200);
  });

  it('quotes the reply as it is written, although case and quotation marks make no difference', () => {
    const found = (text: string): string | undefined => reasons('excludes: rotate', text)[0];
    assert.match(found('Open ‘Keys’,\nthen Rotate.') ?? '', /: “Open ‘Keys’, then Rotate\.”$/);
    // A text that is longer without its ligature is quoted as it was searched.
    assert.match(found('See the ﬁle ‘Rotate’.') ?? '', /: “see the file 'rotate'\.”$/);
  });

  it('checks words in the longest possible reply quickly', () => {
    const text = 'aaaa '.repeat(40_000);
    assert.equal(reasons("contains: ['/(a+ ?)+b/', 'aaaa b']", text).length, 2);
  });
});
