import assert from 'node:assert/strict';
import * as v from 'valibot';
import {
  MAX_CODE_LENGTH,
  MAX_FILE_BYTES,
  MAX_QUESTION_LENGTH,
  MAX_TITLE_LENGTH,
  parseRequest,
  viewRequestSchemas,
  type ViewRequestName,
  type ViewRequests,
} from '../../../src/shared/protocol';

/** One good request of each name: a new message without one does not compile. */
const samples: { readonly [Name in ViewRequestName]: ViewRequests[Name]['params'] } = {
  'view-ready': { protocolVersion: 1 },
  'question-submit': { text: 'How?' },
  'reply-stop': { messageId: 'r1' },
  'reply-retry': { messageId: 'r1' },
  'thread-start': {},
  'reply-regenerate': { messageId: 'r1' },
  'question-edit': { messageId: 'q1', text: 'How else?' },
  'branch-show': { messageId: 'r1', index: 1 },
  'thread-open': { threadId: 't1' },
  'thread-rename': { threadId: 't1', title: 'Uploads' },
  'thread-delete': { threadId: 't1' },
  'thread-restore': { threadId: 't1' },
  'thread-export': { threadId: 't1' },
  'history-list': { query: 'upload' },
  'page-remove': {},
  'attachment-pick': {},
  'attachment-add': { filename: 'a.txt', mediaType: 'text/plain', content: 'QQ==' },
  'attachment-remove': { attachmentId: 'f1' },
  'mention-list': { kind: 'file', query: 'sta' },
  'mention-add': { mentionId: 'm1' },
  'source-describe': { messageId: 'r1', sourceId: 's1' },
  'code-replace': { messageId: 'r1', text: 'a' },
  'code-run': { text: 'ls', language: 'sh' },
  'code-save': { text: 'a', language: 'ts' },
  'code-theme': {},
  'context-item-remove': { itemId: 'c1' },
  'context-item-reveal': { itemId: 'c1' },
  'context-item-add': {},
  'source-open': { messageId: 'r1', sourceId: 's1', target: 'file' },
  'file-open': { messageId: 'r1', partIndex: 0 },
  'link-open': { href: 'https://docs.example.com/' },
  'code-copy': { text: 'a' },
  'code-insert': { text: 'a' },
  'code-open': { text: 'a', language: 'ts' },
  'action-run': { action: 'open-log' },
  'view-log': { level: 'warn', text: 'Odd.' },
};
const names = Object.keys(samples) as ViewRequestName[];

describe('a request of the webview', () => {
  for (const name of names) {
    it(`${name} arrives as it was sent, without what does not belong to it`, () => {
      const envelope: unknown = JSON.parse(
        JSON.stringify({ kind: 'request', id: 1, name, params: { ...samples[name], extra: 1 } }),
      );
      const request = parseRequest(envelope);
      assert.equal(request?.name, name);
      assert.deepEqual(v.parse(viewRequestSchemas[name], request.params), samples[name]);
    });

    it(`${name} is refused with params of the wrong shape`, () => {
      for (const params of [null, 7, 'x', ...(Object.keys(samples[name]).length > 0 ? [{}] : [])]) {
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
          mediaType: 'text/plain',
          content: 'A'.repeat(Math.ceil(MAX_FILE_BYTES / 3) * 4 + 1),
        },
      ],
      ['thread-rename', { threadId: 't1', title: 'x'.repeat(MAX_TITLE_LENGTH + 1) }],
      ['branch-show', { messageId: 'r1', index: -1 }],
      ['file-open', { messageId: 'r1', partIndex: -1 }],
      ['file-open', { messageId: 'r1', partIndex: 0.5 }],
    ];
    for (const [name, params] of tooLong) {
      assert.equal(v.safeParse(viewRequestSchemas[name], params).success, false);
    }
  });
});
