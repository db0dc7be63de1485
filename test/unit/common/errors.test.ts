import assert from 'node:assert/strict';
import { describeError } from '../../../src/common/describeError';
import { DocsAssistantError } from '../../../src/common/errors';
import { errorCodes } from '../../../src/shared/errorInfo';

describe('describeError', () => {
  for (const code of errorCodes) {
    it(`gives ${code} a sentence that says what to do, with and without details`, () => {
      const details = {
        host: 'api.example.com',
        domain: 'acme',
        status: 503,
        serviceMessage: 'Said by the service.',
        seconds: 60,
        causeCode: 'ECODE',
      };
      for (const error of [new DocsAssistantError(code), new DocsAssistantError(code, details)]) {
        const { message, actions } = describeError(error);
        assert.match(message, /^[A-Z“a-z].*[.)]$/);
        assert.doesNotMatch(message, /undefined|\{\d\}|null/);
        assert.equal(new Set(actions).size, actions.length);
      }
    });
  }

  it('tells when a retry may succeed', () => {
    assert.equal(describeError(new DocsAssistantError('rate-limited', { retryAt: 5 })).retryAt, 5);
    assert.equal(describeError(new DocsAssistantError('rate-limited')).retryAt, undefined);
  });

  it('says nothing of an error that is not ours', () => {
    const { code, message } = describeError(new Error('CANARY at /home/x.ts:1'));
    assert.equal(code, 'unexpected');
    assert.doesNotMatch(message, /CANARY|home/);
  });

  it('uses the reader’s language', () => {
    const translated = describeError(new DocsAssistantError('empty-question'), () => 'Frag was.');
    assert.equal(translated.message, 'Frag was.');
  });
});
