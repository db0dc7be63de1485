import assert from 'node:assert/strict';
import { Parser } from 'htmlparser2';
import { plainTranslate } from '../../../src/common/errors';
import type { QuestionResult, QuestionRun } from '../../../src/questions/questionRun';
import { githubAnnotations } from '../../../src/questions/report/githubAnnotations';
import { junitReport } from '../../../src/questions/report/junitReport';

const result = (fields: Partial<QuestionResult>): QuestionResult => ({
  id: 'a',
  name: 'A?',
  question: 'A?',
  file: 'docs-questions.yaml',
  line: 2,
  endLine: 4,
  status: 'pass',
  reasons: [],
  sources: [],
  first: 5,
  durationMs: 1500,
  ...fields,
});

const nasty = 'He said "<x>" & ]]> \u0000\u001b[31m\r\nnext \ud800 line, 100%: done';

const results = [
  result({ reply: 'Like this.', sources: [{ title: 'Keys', url: '/keys' }] }),
  result({ id: 'b', name: nasty, status: 'fail', reasons: [nasty, 'And more.'], reply: nasty }),
  result({ id: 'c', name: 'C?', status: 'error', reasons: ['No network.'], errorCode: 'offline' }),
  result({ id: 'd', name: '', status: 'skipped', reasons: ['Not asked. Full.'], file: 'b.yaml' }),
];

const run: QuestionRun = {
  version: 1,
  target: { label: 'docs <&>', local: true },
  results,
  startedAt: '2026-01-02T03:04:05.000Z',
  durationMs: 4321,
};

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Returns the elements of XML in their order, with their own text. */
function elementsOf(xml: string): readonly Element[] {
  const all: Element[] = [];
  const open: Element[] = [];
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        const element = { name, attributes, text: '' };
        all.push(element);
        open.push(element);
      },
      ontext: (text) => {
        const current = open.at(-1);
        if (current) current.text += text;
      },
      onclosetag: (name, isImplied) => {
        assert.equal(open.pop()?.name, name);
        assert.equal(isImplied && !/<[^>]*\/>/.test(xml), false);
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  assert.deepEqual(open, []);
  return all;
}

describe('junitReport', () => {
  it('has a suite for each file and a case for each question, with totals', () => {
    const elements = elementsOf(junitReport(run));
    const [root] = elements;
    assert.deepEqual(root?.attributes, {
      name: 'docs <&>',
      tests: '4',
      failures: '1',
      errors: '1',
      skipped: '1',
      time: '4.321',
      timestamp: '2026-01-02T03:04:05.000Z',
    });
    const suites = elements.filter(({ name }) => name === 'testsuite');
    assert.deepEqual(
      suites.map(({ attributes }) => [attributes['name'], attributes['tests']]),
      [
        ['docs-questions.yaml', '3'],
        ['b.yaml', '1'],
      ],
    );
    const cases = elements.filter(({ name }) => name === 'testcase');
    assert.deepEqual(cases[0]?.attributes, {
      name: 'A?',
      classname: 'docs-questions.yaml',
      file: 'docs-questions.yaml',
      line: '2',
      time: '1.500',
    });
    assert.equal(cases[3]?.attributes['name'], 'd');
    assert.equal(elements.find(({ name }) => name === 'error')?.attributes['type'], 'offline');
    assert.equal(
      elements.find(({ name }) => name === 'skipped')?.attributes['message'],
      'Not asked. Full.',
    );
    const output = elements.find(({ name }) => name === 'system-out');
    assert.equal(output?.text, 'A?\n\nLike this.\n\n1. Keys /keys');
  });

  it('includes the reply, without the characters that XML can’t contain', () => {
    const xml = junitReport(run);
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/);
    assert.equal(xml.isWellFormed(), true);
    assert.ok(!xml.includes(']]>'));
    const failure = elementsOf(xml).find(({ name }) => name === 'failure');
    assert.equal(
      failure?.text,
      'He said "<x>" & ]]> [31m\r\nnext \ufffd line, 100%: done\nAnd more.',
    );
    assert.match(failure.attributes['message'] ?? '', /^He said "<x>" & \]\]> \[31m\r\nnext/);
  });

  it('has no suite for a run without questions', () => {
    const elements = elementsOf(junitReport({ ...run, results: [] }));
    assert.deepEqual(
      elements.map(({ name }) => name),
      ['testsuites'],
    );
  });
});

describe('githubAnnotations', () => {
  it('shows failures and errors at their lines, and escapes what could end a command', () => {
    const lines = githubAnnotations(results, plainTranslate, (file) => `site/${file}`);
    assert.equal(lines.length, 3);
    assert.ok(lines.every((line) => !/[\r\n]/.test(line)));
    assert.match(
      lines[0] ?? '',
      /^::error file=site\/docs-questions\.yaml,line=2,endLine=4,title=He said "<x>" & \]\]> .*%0D%0Anext .* line%2C 100%25%3A done::He said .*%0D%0Anext .* line, 100%25: done%0AAnd more\.$/,
    );
    assert.equal(
      lines[1],
      '::error file=site/docs-questions.yaml,line=2,endLine=4,title=C?::No network.',
    );
    assert.equal(lines[2], '::warning title=1 questions were not asked::Not asked. Full.');
  });

  it('says nothing about questions that passed', () => {
    assert.deepEqual(githubAnnotations(results.slice(0, 1), plainTranslate, String), []);
  });
});
