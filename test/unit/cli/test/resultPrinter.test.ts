import assert from 'node:assert/strict';
import { Output } from '../../../../src/cli/output';
import { lookOf } from '../../../../src/cli/terminal/style';
import { ResultPrinter } from '../../../../src/cli/test/resultPrinter';
import { plainTranslate } from '../../../../src/common/errors';
import type { QuestionResult } from '../../../../src/questions/questionRun';

const nasty = '::stop-commands::x\n##[add-mask]y \u001b[31mred';

const result: QuestionResult = {
  id: 'a',
  name: nasty,
  question: 'A?',
  file: 'docs-questions.yaml',
  line: 2,
  status: 'fail',
  reasons: [nasty],
  reply: nasty,
  first: 5,
  durationMs: 1500,
  sources: [{ title: nasty, url: nasty }],
};

describe('ResultPrinter', () => {
  it('prints no line that CI reads as a command, whatever a reply says', () => {
    let printed = '';
    const stream = new Output({ write: (text) => (printed += text) });
    const { style } = lookOf(stream, {});
    const printer = new ResultPrinter(stream, { style, t: plainTranslate, hasReplies: true });
    printer.result(result);
    printer.summary(
      {
        version: 1,
        target: { label: 'x', local: true },
        startedAt: '',
        durationMs: 1,
        results: [],
      },
      {
        lost: [result],
        gained: [],
        unclear: [],
        added: [result],
        removed: [],
      },
    );
    // eslint-disable-next-line no-control-regex -- control characters are what is looked for
    assert.doesNotMatch(printed, /^\s*::|##\w*\[|\u001b/m);
    assert.match(printed, /\n {6}\| ::stop-commands::x\n {6}\| ## \[add-mask\]y \[31mred\n/);
  });
});
