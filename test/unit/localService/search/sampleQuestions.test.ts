import assert from 'node:assert/strict';
import path from 'node:path';
import type { DocsLibrary } from '../../../../src/localService/pages/docsLibrary';
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
    library = await libraryOf(path.resolve('src/localService/sample/docs'));
    const questions = await readQuestions(path.resolve('test/fixtures/questions-sample.json'));
    figures = figuresOf(askAll(library.index, questions));
  });
  after(() => library.stop());

  it('finds a page that answers first for three questions of four', () => {
    assert.ok(figures.first >= 23, `${figures.first} of ${figures.answerable}`);
  });

  it('finds a page that answers among the first five for nine questions of ten', () => {
    assert.ok(figures.inFive >= 27, `${figures.inFive} of ${figures.answerable}`);
  });

  it('refuses all questions that the docs do not answer, and no others', () => {
    assert.ok(figures.refused >= 13, `${figures.refused} of ${figures.unanswerable}`);
    assert.equal(figures.silent, 0);
  });

  it('finds the page for follow-ups and for questions about code', () => {
    assert.ok(figures.followUpsInFive >= 4, `${figures.followUpsInFive} of ${figures.followUps}`);
    assert.equal(figures.withCodeInFive, figures.withCode);
  });
});
