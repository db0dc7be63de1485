import assert from 'node:assert/strict';
import sinon from 'sinon';
import * as v from 'valibot';
import {
  parseRequest,
  viewRequestSchemas,
  type HostEvents,
  type OpsEnvelope,
  type ViewRequestName,
} from '../../../src/shared/protocol';
import { viewStrings } from '../../../src/shared/viewStrings';
import { HostEndpoint, RequestError } from '../../../webview/endpoint';
import type { HostEvent } from '../../../webview/hostSchemas';
import { viewRequestSamples } from '../../builders/viewRequests';
import { endpointPair } from '../../fakes/endpointPair';

const refusal = { code: 'unexpected', message: 'No.', actions: [] } as const;

const thread: HostEvents['thread-shown']['thread'] = {
  id: 't',
  title: 'Uploads',
  messages: [
    {
      role: 'user',
      id: 'q',
      createdAt: '2025-06-01T12:00:00.000Z',
      text: 'Why?',
      contextItems: [
        { id: 'i', type: 'code', label: 'a.ts', path: 'a.ts', startLine: 1, length: 3 },
      ],
    },
    {
      role: 'assistant',
      id: 'r',
      createdAt: '2025-06-01T12:00:00.000Z',
      status: 'failed',
      notice: 'A new thread.',
      error: { code: 'rate-limited', message: 'Wait.', actions: ['retry'], retryAt: 5 },
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'So.' },
        { type: 'source-url', sourceId: 's', url: 'https://a.example', title: 'A' },
        { type: 'file', mediaType: 'text/csv', url: 'data:,', filename: 'a.csv' },
        { type: 'search', toolCallId: 'c', toolName: 'search', state: 'done', query: 'a' },
      ],
    },
  ],
};
const site = { isConfigured: true, label: 'acme', isLocal: false, filter: { groups: ['admin'] } };

const eventParams: HostEvents = {
  'thread-shown': { thread },
  'message-added': { message: thread.messages[1]! },
  'reply-status': { messageId: 'r', status: 'complete' },
  'context-items': {
    items: [{ id: 'i', type: 'textSelection', label: 'a.md', length: 9 }],
    files: [{ id: 'f', filename: 'a.png', mediaType: 'image/png', sizeBytes: 9 }],
    page: '/guides/start',
  },
  'suggestions-changed': { suggestions: ['How?'] },
  'code-theme-changed': {},
  'site-changed': { site, suggestions: ['How?'] },
  'composer-focus': { text: 'Explain this' },
  'overlay-show': { overlay: 'history' },
};

interface Heard {
  readonly events: HostEvent[];
  readonly ops: OpsEnvelope[];
  readonly unreadable: string[];
}

function connect() {
  const line = endpointPair();
  const heard: Heard = { events: [], ops: [], unreadable: [] };
  const endpoint = new HostEndpoint(line.port, {
    onEvent: (event) => heard.events.push(event),
    onOps: (ops) => heard.ops.push(ops),
    onUnreadable: (description) => heard.unreadable.push(description),
  });
  return { line, endpoint, heard };
}

describe('HostEndpoint', () => {
  for (const [name, params] of Object.entries(viewRequestSamples) as [ViewRequestName, never][]) {
    it(`asks ${name} in the form that the host takes, and gives its result`, async () => {
      const { line, endpoint } = connect();
      const result = endpoint.request(name, params);
      const request = parseRequest(line.posted[0]);
      assert.equal(request?.name, name);
      assert.deepEqual(v.parse(viewRequestSchemas[name], request.params), params);
      line.send({ kind: 'reply', id: request.id, ok: true, result: { given: name } });
      assert.deepEqual(await result, { given: name });
    });
  }

  for (const [name, params] of Object.entries<unknown>({ ...eventParams })) {
    it(`hands ${name} on as it came`, () => {
      const { line, heard } = connect();
      line.send({ kind: 'event', seq: 7, name, params });
      assert.deepEqual(heard.events, [{ seq: 7, name, params }]);
    });
  }

  it('hands changes of the running reply on as they came', () => {
    const { line, heard } = connect();
    line.send([3, 'more', [0, 'text'], [2, { type: 'step-start' }]]);
    assert.deepEqual(heard.ops, [[3, 'more', [0, 'text'], [2, { type: 'step-start' }]]]);
  });

  it('pairs replies with requests by id, in whatever order they come', async () => {
    const { line, endpoint } = connect();
    const first = endpoint.request('code-copy', { text: '1' });
    const second = endpoint.request('code-copy', { text: '2' });
    line.send({ kind: 'reply', id: 2, ok: true, result: 'two' });
    line.send({ kind: 'reply', id: 1, ok: true, result: 'one' });
    assert.deepEqual(await Promise.all([first, second]), ['one', 'two']);
  });

  it('rejects a refused request with what the host said', async () => {
    const { line, endpoint } = connect();
    const result = endpoint.request('context-item-add', {});
    line.send({ kind: 'reply', id: 1, ok: false, error: refusal });
    await assert.rejects(result, (error: unknown) => {
      assert.ok(error instanceof RequestError);
      assert.equal(error.reason, 'refused');
      assert.deepEqual(error.info, refusal);
      return true;
    });
  });

  it('ends a request that nobody answers, and ignores the answer that comes too late', async () => {
    const timers = sinon.useFakeTimers();
    try {
      const { line, endpoint } = connect();
      const result = endpoint.request('question-submit', { text: 'Why?' });
      const failed = assert.rejects(result, { reason: 'timed-out' });
      await timers.tickAsync(60_000);
      await failed;
      line.send({ kind: 'reply', id: 1, ok: true, result: null });
    } finally {
      timers.restore();
    }
  });

  it('leaves a person all the time that a question at the host takes', async () => {
    const timers = sinon.useFakeTimers();
    try {
      const { line, endpoint } = connect();
      const result = endpoint.request('action-run', { action: 'set-up-site' });
      await timers.tickAsync(3_600_000);
      line.send({ kind: 'reply', id: 1, ok: true, result: null });
      assert.equal(await result, null);
    } finally {
      timers.restore();
    }
  });

  it('rejects a request that cannot be posted', async () => {
    const endpoint = new HostEndpoint(
      {
        post: () => {
          throw new Error('gone');
        },
        listen: () => undefined,
      },
      { onEvent: () => undefined, onOps: () => undefined },
    );
    await assert.rejects(endpoint.request('context-item-add', {}), { reason: 'refused' });
  });

  const notOurs: unknown[] = [
    undefined,
    null,
    'text',
    7,
    {},
    { kind: 'other' },
    { type: 'setImmediate' },
  ];
  for (const message of notOurs) {
    it(`ignores ${JSON.stringify(message)}, which is not a message of the protocol`, () => {
      const { line, heard } = connect();
      line.send(message);
      assert.deepEqual(heard, { events: [], ops: [], unreadable: [] });
    });
  }

  const broken: Record<string, unknown> = {
    'an event of an unknown name': { kind: 'event', seq: 1, name: 'run-command', params: {} },
    'an event named like a prototype’s property': {
      kind: 'event',
      seq: 1,
      name: '__proto__',
      params: {},
    },
    'an event without a number': { kind: 'event', name: 'composer-focus', params: {} },
    'an event with params of another type': {
      kind: 'event',
      seq: 1,
      name: 'composer-focus',
      params: { text: { html: '<b>' } },
    },
    'a part of an unknown type': [1, [0, { type: 'html', html: '<script>' }]],
    'a change at no place': [1, [-1, 'text']],
    'changes without a number': ['text'],
    'an array of anything': [[[]]],
    'a reply without an error': { kind: 'reply', id: 1, ok: false },
    'a reply whose id is a text': { kind: 'reply', id: '1', ok: true, result: {} },
  };
  for (const [name, message] of Object.entries(broken)) {
    it(`does not act on ${name}`, () => {
      const { line, heard } = connect();
      line.send(message);
      assert.deepEqual([heard.events, heard.ops], [[], []]);
      assert.equal(heard.unreadable.length, 1);
    });
  }

  it('takes nothing from a prototype that a message brings along', () => {
    const { line, heard } = connect();
    line.send(
      JSON.parse(
        '{"kind":"event","seq":1,"name":"composer-focus","params":{"__proto__":{"text":"x"}}}',
      ),
    );
    assert.deepEqual(heard.events, [{ seq: 1, name: 'composer-focus', params: {} }]);
    assert.equal(({} as { text?: unknown }).text, undefined);
  });

  it('has a text for every string that the view shows', () => {
    for (const [key, text] of Object.entries(viewStrings)) assert.notEqual(text.trim(), '', key);
  });
});
