import assert from 'node:assert/strict';
import { plainTranslate } from '../../../src/common/errors';
import type { DocsQuestion } from '../../../src/questions/docsQuestion';
import type { QuestionResult } from '../../../src/questions/questionRun';
import {
  pageDifference,
  questionResultLines,
  resultMarkdown,
} from '../../../src/questions/resultText';

const result = (given: Partial<QuestionResult> = {}): QuestionResult => ({
  id: 'one',
  name: 'How large?',
  question: 'How large can an upload be?',
  status: 'fail',
  first: 2,
  durationMs: 1200,
  reasons: ['“limits” is not among the sources.'],
  reply: 'At most **45 MB**.',
  sources: [{ title: 'Plans', url: 'plans#free' }],
  ...given,
});

const question = (given: Partial<DocsQuestion>): DocsQuestion => ({
  id: 'one',
  name: 'How large?',
  question: 'How large?',
  pages: [],
  anyPage: [],
  first: 2,
  contains: [],
  excludes: [],
  filters: {},
  refuses: false,
  lines: { first: 2, last: 4 },
  ...given,
});

describe('texts of a result', () => {
  it('say why a question failed, with its sources and the reply', () => {
    assert.equal(
      resultMarkdown(result(), 'Handbook', plainTranslate),
      `“limits” is not among the sources.

#### Sources

1. plans#free — Plans

#### Reply of Handbook

At most **45 MB**.`,
    );
  });

  it('let nothing in a reply change the message, or load anything', () => {
    const reply = '# Big\n\n![a](https://evil.example/x.png)\n\n<img src=x>\n\n```\nopen';
    const title = '[click](command:evil)';
    const text = resultMarkdown(
      result({ reply, sources: [{ title, url: 'x' }], reasons: ['# No <b>reason</b>'] }),
      'Docs',
      plainTranslate,
    );
    assert.doesNotMatch(text, /^# /m);
    assert.doesNotMatch(text, /!\[|(?<!\\)<(?:img|b)|(?<!\\)\]\(command:/);
    assert.match(text, /^##### Big$/m);
  });

  it('say how many sources count, and cut a long list', () => {
    const sources = Array.from({ length: 23 }, (_, index) => ({ title: '', url: `page${index}` }));
    const text = resultMarkdown(result({ sources }), 'Docs', plainTranslate);
    assert.match(text, /3 more/);
    assert.match(text, /Only the first 2 sources count\./);
    assert.doesNotMatch(text, /page20/);
  });

  it('are lines of plain text in the output', () => {
    assert.deepEqual(questionResultLines(result({ reply: 'One\ntwo' }), plainTranslate), [
      '✗ How large? (1 s)',
      '  “limits” is not among the sources.',
      '  Sources:',
      '    1. plans#free  Plans',
      '  Reply:',
      '    One',
      '    two',
      '',
    ]);
    const skipped = result({ status: 'skipped', reasons: ['Not asked.'], sources: [] });
    delete (skipped as { reply?: string }).reply;
    assert.deepEqual(questionResultLines(skipped, plainTranslate).slice(1), ['  Not asked.', '']);
  });

  it('set the pages of a question beside its first sources', () => {
    const sources = ['a', 'b', 'c'].map((url) => ({ title: '', url }));
    const difference = pageDifference(question({ pages: ['limits'] }), result({ sources }));
    assert.deepEqual(difference, { expected: 'limits', actual: 'a\nb' });
    assert.equal(pageDifference(question({}), result()), undefined);
    const passed = pageDifference(question({ pages: ['limits'] }), result({ status: 'pass' }));
    assert.equal(passed, undefined);
  });
});
