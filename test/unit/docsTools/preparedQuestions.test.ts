import assert from 'node:assert/strict';
import { PreparedQuestions } from '../../../src/docsTools/preparedQuestions';
import { someSettings } from '../../builders/asking';
import { hosted, local } from './asking';

const input = { question: 'How?' };
const other = { ...hosted, settings: someSettings({ assistantDomain: 'other' }) };

describe('PreparedQuestions', () => {
  it('lets a question go to the site that its confirmation named', () => {
    const questions = new PreparedQuestions();
    questions.remember(input, hosted);
    questions.check({ question: ' How? ' }, hosted);
    questions.check(input, hosted);
  });

  for (const [name, before] of [
    ['another site', other],
    ['docs on this machine, which need no confirmation', local],
    ['a site without a key', { ...hosted, key: undefined }],
    ['no site', undefined],
  ] as const) {
    // Shows faults.md T12.
    it(`refuses a question that spends a credit when it was prepared for ${name}`, () => {
      const questions = new PreparedQuestions();
      questions.remember(input, before);
      assert.throws(() => questions.check(input, hosted), {
        code: 'site-changed',
        message: /switched to another docs site .* nothing was asked\. Call again/,
      });
    });
  }

  it('lets a question go to docs on this machine, whatever it was prepared for', () => {
    const questions = new PreparedQuestions();
    questions.remember(input, hosted);
    questions.check(input, local);
  });

  it('takes the last preparation of a question that is asked again', () => {
    const questions = new PreparedQuestions();
    questions.remember(input, other);
    questions.remember(input, hosted);
    questions.check(input, hosted);
  });

  it('forgets the oldest of more than a hundred', () => {
    const questions = new PreparedQuestions();
    for (let number = 0; number <= 100; number++) {
      questions.remember({ question: `Question ${number}` }, other);
    }
    questions.check({ question: 'Question 0' }, hosted);
    assert.throws(() => questions.check({ question: 'Question 1' }, hosted));
  });

  it('leaves input that is none to the call', () => {
    const questions = new PreparedQuestions();
    questions.remember({ question: 7 }, other);
    questions.check({ question: 7 }, hosted);
  });
});
