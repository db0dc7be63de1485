import assert from 'node:assert/strict';
import { CliError, exitCodes, Interrupted } from '../../../src/cli/context';
import { failureOf, reportFailure } from '../../../src/cli/failure';
import { Output } from '../../../src/cli/output';
import { DocsAssistantError, plainTranslate as t } from '../../../src/common/errors';
import { ExportError } from '../../../src/export/exportErrors';
import { DocsError } from '../../../src/docs/docsError';
import { errorCodes, type ErrorCode } from '../../../src/shared/errorInfo';

const running = new AbortController().signal;

async function reported(error: unknown, signal = running, now = 0): Promise<[number, string]> {
  let text = '';
  const stderr = new Output({ write: (line) => (text += line) });
  return [await reportFailure(error, { stderr, signal, t }, now), text];
}

describe('failureOf', () => {
  it('gives each kind of failure its exit code', async () => {
    const expected: Partial<Record<ErrorCode, number>> = {
      'empty-question': 2,
      'too-large': 2,
      'not-configured': 3,
      'assistant-air-gapped': 3,
      'not-signed-in': 4,
      'key-rejected': 4,
      forbidden: 4,
      'unknown-site': 5,
      'rate-limited': 6,
      offline: 7,
      'timed-out': 7,
      'insecure-connection': 7,
      'service-down': 7,
      'unexpected-html': 7,
      'bad-stream': 7,
      'connection-lost': 8,
      unexpected: 1,
    };
    for (const [code, exitCode] of Object.entries(expected) as [ErrorCode, number][]) {
      assert.equal((await failureOf(new DocsAssistantError(code), t)).exitCode, exitCode, code);
    }
    assert.equal((await failureOf(new DocsError('No.'), t)).exitCode, exitCodes.usage);
    assert.equal(
      (await failureOf(new ExportError('broken-archive'), t)).exitCode,
      exitCodes.notFound,
    );
    assert.equal((await failureOf(new CliError(9, 'No.'), t)).code, 'no-answer');
    assert.equal((await failureOf(new TypeError('secret'), t)).exitCode, exitCodes.unexpected);
  });

  it('never sends the reader to the editor', async () => {
    const seen = new Set(['assistant-air-gapped', 'assistant-switched-off', 'secret-store-failed']);
    for (const code of errorCodes) {
      if (seen.has(code)) continue;
      const { message } = await failureOf(new DocsAssistantError(code, { seconds: 5 }), t);
      assert.doesNotMatch(message, /VS Code|the settings|editor|command palette/i, code);
    }
  });

  it('does not print the message of an unexpected error', async () => {
    const { message } = await failureOf(new TypeError('secret /home/me'), t);
    assert.equal(message, 'Something went wrong (TypeError). Try again with --verbose.');
  });
});

describe('reportFailure', () => {
  it('says how long to wait', async () => {
    const error = new DocsAssistantError('rate-limited', { retryAt: 61_500 });
    const [exitCode, text] = await reported(error);
    assert.equal(exitCode, exitCodes.rateLimit);
    assert.match(text, /Try again in 1 min\.\n$/);
    assert.match((await reported(error, running, 61_100))[1], /Try again in 1 s\.\n$/);
    assert.doesNotMatch((await reported(error, running, 70_000))[1], /Try again in/);
  });

  it('ends an interrupted command without a message, whatever failed after it', async () => {
    const controller = new AbortController();
    controller.abort(new Interrupted(130));
    assert.deepEqual(await reported(new Error('socket hang up'), controller.signal), [130, '']);
  });

  it('prints one line without control characters', async () => {
    const error = new CliError(5, 'a\u001b]0;title\u0007\nb doesn’t exist.');
    assert.deepEqual(await reported(error), [5, 'a ]0;title b doesn’t exist.\n']);
  });
});
