import assert from 'node:assert/strict';
import { readQuestionFile } from '../../../src/questions/readQuestionFile';
import type { QuestionFile } from '../../../src/questions/docsQuestion';

/** Returns problems as a reader of the file meets them. */
function told({ problems }: QuestionFile): readonly string[] {
  return problems.map(
    ({ severity, message, range }) => `${range.line}:${range.column} ${severity} ${message}`,
  );
}

const asked = ({ questions }: QuestionFile): readonly string[] =>
  questions.map(({ question }) => question);

describe('readQuestionFile', () => {
  it('reads questions with the settings of the file, and the lines of each', () => {
    const file = readQuestionFile(`# Questions of the team
base: https://acme.com/handbook
first: 3
filters:
  version: 1.10
questions:
  - question: How do I rotate a key?
    id: rotate
    name: Rotating keys
    pages:
      - guides/keys
      - /guides/rotation.md
    contains: both keys
    excludes: [deprecated, /v1\\/keys/]

  - What is a webhook?
  - question: "Pricing: how much?"
    refuses: true
    first: 1
    filters: { language: en, groups: admins }
`);
    assert.deepEqual(told(file), []);
    assert.deepEqual(file.questions, [
      {
        id: 'rotate',
        name: 'Rotating keys',
        question: 'How do I rotate a key?',
        pages: ['guides/keys', '/guides/rotation.md'],
        anyPage: [],
        first: 3,
        contains: ['both keys'],
        excludes: ['deprecated', '/v1\\/keys/'],
        filters: { version: '1.10' },
        refuses: false,
        base: 'https://acme.com/handbook',
        lines: { first: 7, last: 14 },
      },
      {
        id: 'What is a webhook?',
        name: 'What is a webhook?',
        question: 'What is a webhook?',
        pages: [],
        anyPage: [],
        first: 3,
        contains: [],
        excludes: [],
        filters: { version: '1.10' },
        refuses: false,
        base: 'https://acme.com/handbook',
        lines: { first: 16, last: 16 },
      },
      {
        id: 'Pricing: how much? [en, admins]',
        name: 'Pricing: how much?',
        question: 'Pricing: how much?',
        pages: [],
        anyPage: [],
        first: 1,
        contains: [],
        excludes: [],
        filters: { version: '1.10', language: 'en', groups: ['admins'] },
        refuses: true,
        base: 'https://acme.com/handbook',
        lines: { first: 17, last: 20 },
      },
    ]);
  });

  it('reads a list without settings, also with a byte order mark and Windows line ends', () => {
    const file = readQuestionFile('\uFEFF- one?\r\n- question: two?\r\n  contains: 429\r\n');
    assert.deepEqual(told(file), []);
    assert.deepEqual(asked(file), ['one?', 'two?']);
    assert.deepEqual(file.questions[1]?.contains, ['429']);
    assert.deepEqual(file.questions[1].lines, { first: 2, last: 3 });
  });

  it('asks a question without the line end of its block', () => {
    assert.deepEqual(asked(readQuestionFile('- question: |\n    one?\n    two?\n')), [
      'one?\ntwo?',
    ]);
  });

  // Shows faults.md V1.
  it('keeps the other questions if one has an error', () => {
    const file = readQuestionFile(`questions:
  - question: one?
    first: none
  - question: two?
  - pages: [a]
  - [three?]
  - question: four?
    contains: [[nested]]
`);
    assert.deepEqual(asked(file), ['two?']);
    assert.deepEqual(told(file), [
      '3:12 error “first” must be a whole number from 1 to 50.',
      '5:5 error This entry has no question. Add “question: …”, and put text with a colon in quotes.',
      '6:5 error An entry must be a question. Begin it with “- question: …”.',
      '8:15 error “contains” must be a list of up to 100 words, phrases or patterns.',
    ]);
  });

  it('says that tabs are not allowed, with the line', () => {
    const file = readQuestionFile('questions:\n  - question: one?\n\t\tpages: a\n');
    assert.deepEqual(asked(file), []);
    assert.match(
      told(file)[0] ?? '',
      /^3:\d+ error This line is indented with a tab, which YAML doesn’t allow\. Use spaces\.$/,
    );
  });

  it('asks for quotes around text with a colon', () => {
    const file = readQuestionFile('questions:\n  - question: Error: what now?\n');
    assert.deepEqual(told(file), ['2:15 error Text with a colon must be in quotes: "…".']);
  });

  it('refuses a question that occurs twice, unless it has an ID or filters of its own', () => {
    const file = readQuestionFile(`- How do I start?
- question: how do I  start?
- question: How do I start?
  id: again
- question: How do I start?
  filters: { version: v2 }
- question: Other?
  id: again
`);
    assert.deepEqual(told(file), [
      '2:3 error Line 1 asks the same question. Remove one of them, or give this one its own “id”.',
      '7:3 error Line 3 has the same “id”. Give this question its own “id”.',
    ]);
    assert.equal(file.questions.length, 3);
  });

  it('ignores unknown keys, with a hint', () => {
    const file = readQuestionFile(`questions:
  - question: one?
    contain: word
    any-page: a
    owner: docs
    filters: { lang: en }
title: Ours
`);
    assert.equal(file.questions.length, 1);
    assert.deepEqual(told(file), [
      '3:5 warning The key “contain” is unknown, so it is ignored. Did you mean “contains”?',
      '4:5 warning The key “any-page” is unknown, so it is ignored. Did you mean “anyPage”?',
      '5:5 warning The key “owner” is unknown, so it is ignored. Use one of: question, id, name, pages, anyPage, first, contains, excludes, filters, refuses.',
      '6:16 warning The key “lang” is unknown, so it is ignored. Use one of: version, language, groups.',
      '7:1 warning The key “title” is unknown, so it is ignored. Use one of: $schema, base, first, filters, questions.',
    ]);
  });

  it('warns of an empty list, which checks nothing', () => {
    const file = readQuestionFile('- question: one?\n  pages: []\n  contains: []\n  excludes: a\n');
    assert.deepEqual(told(file), [
      '2:10 warning “pages” is empty, so it checks nothing.',
      '3:13 warning “contains” is empty, so it checks nothing.',
    ]);
    assert.deepEqual(asked(file), ['one?']);
  });

  it('refuses a key that occurs twice, instead of losing one of them', () => {
    const file = readQuestionFile('- question: one?\n  pages: a\n  pages: b\n');
    assert.deepEqual(told(file), ['3:3 error “pages” occurs twice here. Merge both into one.']);
    assert.deepEqual(asked(file), []);
  });

  it('refuses pages of a question that the docs must refuse', () => {
    const file = readQuestionFile('- question: one?\n  refuses: true\n  anyPage: a\n');
    assert.deepEqual(told(file), [
      '2:12 error A question with “refuses” can’t have pages. Remove “refuses” or the pages.',
    ]);
  });

  // Shows faults.md L20.
  it('names the pattern that can’t be used, and why', () => {
    const file = readQuestionFile(`- question: one?
  contains: [fine, '/(/', '/(?=a)/']
  excludes: '/(a{300}){300}/'
`);
    assert.deepEqual(told(file), [
      '2:20 error “/(/” isn’t a valid pattern: Unterminated group. Correct it, or leave out the slashes.',
      '2:27 error “/(?=a)/” uses “(?=”, which patterns don’t support. They have no lookaround and no back references, because such searches can hang.',
      '3:13 error “/(a{300}){300}/” is too large. Use smaller repeats, or several patterns.',
    ]);
  });

  it('says that a pattern has unsupported flags, and what to do with a path', () => {
    const file = readQuestionFile('- question: one?\n  excludes: [/v1/g, /images/img]\n');
    assert.deepEqual(told(file), [
      '2:14 error “/v1/g” looks like a pattern with the flags “g”. Patterns support only the flags i, m and s. Remove the other flags. If it is a path, remove its first slash.',
      '2:21 error “/images/img” looks like a pattern with the flags “img”. Patterns support only the flags i, m and s. Remove the other flags. If it is a path, remove its first slash.',
    ]);
  });

  it('distinguishes an empty value from the word “null” in quotes', () => {
    const file = readQuestionFile(`- question: What does it return?
  contains: "null"
  excludes: '~'
- question: one?
  pages: null
  contains: ~
  excludes:
- question: 'null'
`);
    assert.deepEqual(told(file), []);
    assert.deepEqual(
      file.questions.map(({ question, pages, contains, excludes }) => [
        question,
        ...[pages, contains, excludes],
      ]),
      [
        ['What does it return?', [], ['null'], ['~']],
        ['one?', [], [], []],
        ['null', [], [], []],
      ],
    );
  });

  it('reads emoji, marks and scripts with their places', () => {
    const file = readQuestionFile(
      '- question: 🚀 مرحبا?\n  first: 🚀\n- Wie groß ist 日本語? 👩‍👩‍👧\n',
    );
    assert.deepEqual(asked(file), ['Wie groß ist 日本語? 👩‍👩‍👧']);
    assert.match(told(file).join(), /^2:10 error “first” must be/);
  });

  it('resolves a merge key, and reads the rest', () => {
    const file = readQuestionFile(`- &all
  question: one?
  pages: [a]
- <<: *all
  question: two?
`);
    assert.deepEqual(told(file), []);
    assert.deepEqual(asked(file), ['one?', 'two?']);
    assert.deepEqual(file.questions[1]?.pages, ['a']);
  });

  it('resolves merge keys, and the keys of the question count first', () => {
    const file = readQuestionFile(`shared:
  refused: &refused { refuses: true }
  all: &all { pages: [a], first: 2, contains: word }
questions:
  - &one
    <<: *all
    question: one?
    first: 3
  - <<: [*one, { excludes: old }]
    question: two?
  - question: three?
    <<: *refused
    filters: { <<: { version: v2 } }
`);
    assert.deepEqual(told(file), []);
    assert.deepEqual(
      file.questions.map(({ question, pages, first, contains, excludes, refuses }) => [
        question,
        pages,
        first,
        contains,
        excludes,
        refuses,
      ]),
      [
        ['one?', ['a'], 3, ['word'], [], false],
        ['two?', ['a'], 3, ['word'], ['old'], false],
        ['three?', [], 5, [], [], true],
      ],
    );
    assert.deepEqual(file.questions[2]?.filters, { version: 'v2' });
  });

  it('reports merged keys where they are written, once', () => {
    const file = readQuestionFile(`shared: &shared
  pagess: a
  first: none
questions:
  - question: one?
    <<: *shared
  - question: two?
    <<: *shared
  - question: three?
    <<: text
  - &self
    <<: *self
    question: four?
`);
    assert.deepEqual(told(file), [
      '2:3 warning The key “pagess” is unknown, so it is ignored. Did you mean “pages”?',
      '3:10 error “first” must be a whole number from 1 to 50.',
      '10:9 error “<<” needs the alias of a map, such as “*shared”.',
    ]);
    assert.deepEqual(asked(file), ['four?']);
  });

  it('refuses an alias without an anchor', () => {
    const file = readQuestionFile('- question: one?\n  pages: *pages\n  contains: &word a\n');
    assert.deepEqual(told(file), [
      '2:10 error No value above has the anchor “&pages”. Correct the name after “*”, or write the value here.',
    ]);
    assert.deepEqual(asked(file), []);
  });

  it('follows aliases, and refuses those that refer to themselves', () => {
    const shared = readQuestionFile(`- question: one?
  pages: &pages [a, b]
- question: two?
  pages: *pages
`);
    assert.deepEqual(told(shared), []);
    assert.deepEqual(shared.questions[1]?.pages, ['a', 'b']);
    const endless = readQuestionFile('- question: one?\n- &self\n  question: *self\n');
    assert.deepEqual(asked(endless), ['one?']);
    assert.deepEqual(told(endless), [
      '3:13 error “question” must be a text of up to 100,000 characters.',
    ]);
  });

  // Shows faults.md L19.
  it('handles a bomb of aliases without expanding it', () => {
    const levels = Array.from({ length: 30 }, (_, level) => {
      const below = level === 0 ? 'x' : `*l${level - 1}`;
      return `- question: q${level}?\n  contains: &l${level} [${Array(10).fill(below).join(', ')}]`;
    });
    const file = readQuestionFile(levels.join('\n'));
    assert.deepEqual(asked(file), ['q0?']);
    assert.equal(told(file).length, 29);
    assert.match(told(file)[0] ?? '', /^4:17 error “contains” must be a list of up to 100 words/);
  });

  for (const [name, text, line] of [
    ['is empty', '', /1:1 error The file has no questions\. Add one: “- question: …”\./],
    ['has only comments', '# nothing\n', /The file has no questions/],
    ['has an empty list', 'questions: []\n', /The file has no questions/],
    ['has a list without a value', 'questions:\n', /“questions” must be a list/],
    ['is one text', 'How do I start?\n', /The file has no list of questions/],
    ['has other keys alone', 'first: 3\n', /The file has no list of questions/],
    ['has several documents', '- one?\n---\n- two?\n', /several YAML documents/],
    ['isn’t YAML', '- "one\n- two', /1:\d+ error|2:\d+ error/],
    ['is nested deeply', `${'['.repeat(2000)}${']'.repeat(2000)}`, /nested too deeply|isn’t valid/],
    [
      'is too large',
      `# ${'x'.repeat(5_000_000)}`,
      /The file is 5\.1 MB\. Question files can be up to 4 MB\. Split it/,
    ],
  ] as const) {
    it(`reports a file that ${name}`, () => {
      const file = readQuestionFile(text);
      assert.deepEqual(file.questions, []);
      assert.match(told(file).join('\n'), line);
    });
  }

  it('says of each field what it must be', () => {
    const wrong = {
      id: 'id: [a]',
      name: 'name: { a: 1 }',
      pages: 'pages: { a: 1 }',
      anyPage: 'anyPage: { a: 1 }',
      excludes: 'excludes: { a: 1 }',
      refuses: 'refuses: maybe',
      filters: 'filters: all',
      version: 'filters: { version: [a] }',
      language: 'filters: { language: [a] }',
      groups: 'filters: { groups: { a: 1 } }',
    };
    for (const [field, line] of Object.entries(wrong)) {
      const problems = told(readQuestionFile(`- question: one?\n  ${line}\n`));
      assert.match(problems.join('\n'), new RegExp(`^2:\\d+ error “${field}” must \\S.*$`));
    }
  });

  it('reads ten thousand questions with shared pages, and no more', () => {
    const lines = Array.from({ length: 10_001 }, (_, index) =>
      index === 0
        ? '- question: q0?\n  pages: &shared [a]'
        : `- question: q${index}?\n  pages: *shared`,
    );
    const file = readQuestionFile(lines.join('\n'));
    assert.equal(file.questions.length, 10_000);
    assert.deepEqual(told(file), [
      '20001:3 error A file can have up to 10000 questions. Move the questions from this line on into another file.',
    ]);
  });
});
