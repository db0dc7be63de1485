import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  MAX_CODE_LENGTH,
  MAX_FILE_BYTES,
  MAX_QUESTION_LENGTH,
  MAX_TITLE_LENGTH,
} from '../../../src/shared/limits';
import {
  parseRequest,
  viewRequestSchemas,
  type ViewRequestName,
} from '../../../src/shared/protocol';
import { viewRequestSamples } from '../../builders/viewRequests';

const names = Object.keys(viewRequestSamples) as ViewRequestName[];

describe('a request of the webview', () => {
  for (const name of names) {
    it(`${name} arrives as it was sent, without what does not belong to it`, () => {
      const envelope: unknown = JSON.parse(
        JSON.stringify({
          kind: 'request',
          id: 1,
          name,
          params: { ...viewRequestSamples[name], extra: 1 },
        }),
      );
      const request = parseRequest(envelope);
      assert.equal(request?.name, name);
      assert.deepEqual(v.parse(viewRequestSchemas[name], request.params), viewRequestSamples[name]);
    });

    it(`${name} is refused with params of the wrong shape`, () => {
      for (const params of [
        null,
        7,
        'x',
        ...(Object.keys(viewRequestSamples[name]).length > 0 ? [{}] : []),
      ]) {
        assert.equal(v.safeParse(viewRequestSchemas[name], params).success, false);
      }
    });
  }

  for (const message of [
    null,
    [],
    'request',
    { kind: 'request', id: 1, name: 'eval', params: {} },
    { kind: 'request', id: 1, name: '__proto__', params: {} },
    { kind: 'request', id: 'x', name: 'view-ready', params: {} },
    { kind: 'event', id: 1, name: 'view-ready', params: {} },
    { type: 'request', url: 'https://evil.test', headers: {} },
  ]) {
    // Shows faults.md F8.
    it(`is not ${JSON.stringify(message)}`, () => assert.equal(parseRequest(message), undefined));
  }

  it('is refused when it is too long', () => {
    const tooLong: readonly [ViewRequestName, unknown][] = [
      ['question-submit', { text: 'x'.repeat(MAX_QUESTION_LENGTH + 1) }],
      ['code-insert', { text: 'x'.repeat(MAX_CODE_LENGTH + 1) }],
      ['reply-stop', { messageId: 'x'.repeat(201) }],
      [
        'attachment-add',
        {
          filename: 'a',
          content: 'A'.repeat(Math.ceil(MAX_FILE_BYTES / 3) * 4 + 1),
        },
      ],
      ['thread-rename', { threadId: 't1', title: 'x'.repeat(MAX_TITLE_LENGTH + 1) }],
      ['link-open', { href: `https://a.example/${'x'.repeat(8192)}` }],
      ['view-log', { level: 'warn', text: 'x'.repeat(2001) }],
      ['source-open', { messageId: 'r1', sourceId: 'x'.repeat(2001) }],
      ['history-list', { query: 'x'.repeat(201) }],
      ['mention-list', { query: 'x'.repeat(201) }],
      ['code-run', { text: 'ls', language: 'x'.repeat(101) }],
      ['branch-show', { messageId: 'r1', index: -1 }],
      ['file-open', { messageId: 'r1', partIndex: -1 }],
      ['file-open', { messageId: 'r1', partIndex: 0.5 }],
    ];
    for (const [name, params] of tooLong) {
      assert.equal(v.safeParse(viewRequestSchemas[name], params).success, false);
    }
  });
});
