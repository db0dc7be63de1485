import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../src/common/errors';
import { toolError } from '../../../src/docsTools/toolErrors';
import { errorCodes } from '../../../src/shared/errorInfo';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('toolError', () => {
  for (const code of errorCodes) {
    for (const caller of ['vscode', 'command-line'] as const) {
      it(`says what to do about ${code} to a caller of ${caller}`, () => {
        const { message } = toolError(
          new DocsAssistantError(code, { host: 'd.example' }),
          caller,
          now,
        );
        assert.match(
          message,
          /call(?:ing)? (?:this tool )?again|Tell the user|Call again|Send less/i,
          message,
        );
        assert.ok(message.length < 500, `${message.length} characters`);
        assert.doesNotMatch(message, /undefined|\{\d\}|Docs Assistant: .*--/);
      });
    }
  }

  it('names only what the calling program has', () => {
    const error = new DocsAssistantError('not-configured');
    assert.doesNotMatch(toolError(error, 'vscode', now).message, /--docs/);
    assert.doesNotMatch(toolError(error, 'command-line', now).message, /VS Code|Docs Assistant:/);
  });

  it('counts the seconds to wait from now, and never says none', () => {
    const wait = (retryAt: number): string =>
      toolError(new DocsAssistantError('rate-limited', { retryAt }), 'vscode', now).message;
    assert.match(wait(now + 6500), /in 7 seconds/);
    assert.match(wait(now - 5000), /in 1 second, not/);
    assert.match(
      toolError(new DocsAssistantError('rate-limited'), 'vscode', now).message,
      /in a minute/,
    );
  });

  it('keeps the cause of an error to itself', () => {
    const cause = new Error('/home/someone/secret');
    const error = toolError(new DocsAssistantError('offline', { cause }), 'vscode', now);
    assert.equal(error.cause, undefined);
    assert.equal(error.details.cause, undefined);
  });

  it('says nothing of an error that it does not know', () => {
    const { code, message } = toolError(new TypeError('/home/someone/secret'), 'vscode', now);
    assert.equal(code, 'unexpected');
    assert.doesNotMatch(message, /secret/);
  });
});
