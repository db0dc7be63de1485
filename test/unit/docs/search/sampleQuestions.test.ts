import assert from 'node:assert/strict';
import path from 'node:path';
import type { DocsLibrary } from '../../../../src/docs/docsLibrary';
import {
  askAll,
  type Figures,
  figuresOf,
  libraryOf,
  readQuestions,
} from '../../../bench/retrievalEval';

describe('questions about the sample docs', () => {
  let library: DocsLibrary;
  let figures: Figures;

  before(async () => {
    library = await libraryOf(path.resolve('src/service/sample/docs'));
    const questions = await readQuestions(path.resolve('test/fixtures/questions-sample.json'));
    figures = figuresOf(askAll(library.index, questions));
  });
  after(() => library.stop());

  it('finds a page that answers first for three questions of four', () => {
    const { first, of } = figures.answerable;
    assert.ok(first >= 23, `${first} of ${of}`);
  });

  it('finds a page that answers among the first five for six questions of seven', () => {
    const { inFive, of } = figures.answerable;
    assert.ok(inFive >= 26, `${inFive} of ${of}`);
  });

  it('answers no question that the docs do not answer in the tone of an answer', () => {
    assert.equal(figures.unanswerable.sure, 0);
  });

  it('is never silent, and hardly ever wrong in the tone of an answer', () => {
    assert.equal(figures.answerable.silent, 0);
    assert.ok(figures.answerable.misled <= 1, String(figures.answerable.misled));
  });

  it('finds the page for follow-ups and for questions about code', () => {
    const { followUps, withCode } = figures;
    assert.ok(followUps.inFive >= 4, `${followUps.inFive} of ${followUps.of}`);
    assert.equal(withCode.inFive, withCode.of);
  });
});
