import assert from 'node:assert/strict';
import { parseAskLink } from '../../../../src/chat/context/askLink';
import { MAX_QUESTION_LENGTH } from '../../../../src/shared/limits';

const ask = (query: string) => parseAskLink({ path: '/ask', query });

const question = (query: string): string => {
  const link = ask(query);
  return 'problem' in link ? `problem: ${link.problem}` : link.question;
};

const page = (path: string): string | undefined => {
  const link = ask(`q=Why&path=${path}`);
  return 'problem' in link ? `problem: ${link.problem}` : link.page;
};

describe('parseAskLink', () => {
  it('reads question and page', () => {
    assert.deepEqual(ask('q=How do I authenticate?&path=/guides/start'), {
      question: 'How do I authenticate?',
      page: '/guides/start',
      isCut: false,
    });
  });

  it('reads a page alone, and the parameters in either order', () => {
    assert.deepEqual(ask('path=/guides/start'), {
      question: '',
      page: '/guides/start',
      isCut: false,
    });
    assert.deepEqual(ask('path=/a&q=Why not?'), { question: 'Why not?', page: '/a', isCut: false });
  });

  for (const path of [
    '',
    '/',
    '/ask/more',
    '/Ask',
    '/../ask',
    '/settings',
    'ask',
    '//ask',
    '/ask?x',
  ]) {
    it(`does nothing for the path ${JSON.stringify(path)}`, () =>
      assert.deepEqual(parseAskLink({ path, query: 'q=Why' }), { problem: 'unknown-path' }));
  }

  for (const query of [
    '',
    'q',
    'q=',
    'q=%20',
    'q= \n ',
    'Q=Why',
    'x=y',
    'q[]=Why',
    '&&&',
    'q=\u202e\0',
  ]) {
    it(`does nothing for ${JSON.stringify(query)}, which asks nothing`, () =>
      assert.deepEqual(ask(query), { problem: 'nothing-to-ask' }));
  }

  it('keeps an ampersand and an equals sign that VS Code has decoded', () => {
    assert.equal(question('q=Is a&b=c right?&path=/x'), 'Is a&b=c right?');
  });

  it('takes the first of a parameter that is given twice', () => {
    assert.equal(question('q=First question&q=Second question'), 'First question');
    assert.deepEqual(ask('q=A b&path=/one&path=/two'), {
      question: 'A b',
      page: '/one',
      isCut: false,
    });
  });

  for (const [given, meant] of [
    ['How+do+I+use+C++?', 'How do I use C++?'],
    ['What is C++ + 100% of %20?', 'What is C++ + 100% of %20?'],
    ['How%20do%20I%3F', 'How do I?'],
    ['100%', '100%'],
    ['%zz%20', '%zz%20'],
    ['%E0%A4%A', '%E0%A4%A'],
  ] as const) {
    it(`reads ${given} as ${meant}`, () => assert.equal(question(`q=${given}`), meant));
  }

  it('drops what could disguise the question, and keeps its lines', () => {
    assert.equal(
      question('q=one\r\ntwo\t3\u202e evil\u2066\u0007\u001b[31m\u200f\ud800 end'),
      'one\ntwo\t3 evil[31m\ufffd end',
    );
  });

  it('drops invisible characters', () =>
    assert.equal(
      question('q=one\u{e0001}\u{e0069}\u{e0067}\u{e007f}\u200b\u2060\u3164\u{e0101} two'),
      'one two',
    ));

  it('keeps joined emoji and Hebrew as they are', () =>
    assert.equal(question('q=👩‍💻 ❤️ می‌خواهم שלום ok'), '👩‍💻 ❤️ می‌خواهم שלום ok'));

  it('cuts a question that is too long, not through a character, and says so', () => {
    const link = ask(`q=a ${'x'.repeat(MAX_QUESTION_LENGTH - 3)}👋 more`);
    assert.ok(!('problem' in link));
    assert.equal(link.isCut, true);
    assert.equal(link.question.length, MAX_QUESTION_LENGTH - 1);
    const whole = ask(`q=${'x'.repeat(MAX_QUESTION_LENGTH)}`);
    assert.deepEqual(whole, { question: 'x'.repeat(MAX_QUESTION_LENGTH), isCut: false });
  });

  it('looks at a link of any length in linear time', () => {
    // Reading in quadratic time exceeds the limit of the test.
    for (const part of ['&q=', '+', '%20', '&path=', '\u202e', 'q=&']) {
      parseAskLink({ path: '/ask', query: `q=${part.repeat(2_000_000)}` });
    }
  });

  for (const path of ['/guides/start', '/', '/v2.1/a_b-c/~d', '/%E4%BD%A0', '/日本語/開始']) {
    it(`takes ${path} for a page`, () =>
      assert.equal(page(path), path === '/%E4%BD%A0' ? '/你' : path));
  }

  for (const path of ['guides/start', 'guides/start/', '/guides/start/', '/guides//start']) {
    it(`takes ${path} for the page /guides/start`, () => assert.equal(page(path), '/guides/start'));
  }

  it('leaves out what follows the path of a page', () => {
    assert.equal(page('/guides/start#tokens'), '/guides/start');
    assert.equal(page('/guides/start&utm=1'), '/guides/start');
  });

  for (const path of [
    '//evil.example/x',
    'https://evil.example/x',
    'command:workbench.action.quit',
    'javascript:alert(1)',
    '/..',
    '/a/../../etc/passwd',
    '/a/./b',
    '/a\\..\\b',
    '\\\\server\\share',
    '/C:/x',
    '/a?b=c',
    '/a b',
    '/%2e%2e/x',
    '/%2Fevil.example',
    '/a%00b',
    '/a\u202eb',
    '/a\u200bb',
    '/a@evil.example',
    '/<script>',
    `/${'x'.repeat(200)}`,
    'x'.repeat(200),
  ]) {
    const name = path.length > 60 ? `${path.length} characters` : JSON.stringify(path);
    it(`ignores ${name} as a page`, () => assert.equal(page(path), 'problem: bad-page'));
  }
});
