/** Asks one question through real HTTP and gathers all that came of it. */
import assert from 'node:assert/strict';
import { AssistantClient, type AskRequest } from '../../../src/chat/assistant/assistantClient';
import type { ReplyChange } from '../../../src/shared/reply';
import type { AskSettings } from '../../../src/site/activeSite';
import type { Question } from '../../../src/chat/conversation/thread';
import { systemClock } from '../../../src/common/clock';
import { describeError } from '../../../src/common/describeError';
import { DocsAssistantError } from '../../../src/common/errors';
import type { Clock } from '../../../src/common/ports';
import type { MessagePart } from '../../../src/shared/uiMessage';
import { everythingIn } from '../../builders/canary';
import { RecordingLog } from '../../fakes/recordingLog';
import { applied } from '../../builders/ops';

/** Looks like a real key, and is looked for in everything that comes out. */
export const assistantKey = 'local_dsc_CANARY4f9a1c7e2b';

export const settingsFor = (baseUrl: string): AskSettings => ({
  baseUrl,
  assistantDomain: 'sample',
  fp: 'anonymous',
  retrievalPageSize: 5,
  filter: {},
  // The default fake clock never moves, and no answer on loopback takes this long.
  idleTimeoutMs: 60_000,
  headersTimeoutMs: 60_000,
});

export const aQuestion = (text: string, fields: Partial<Question> = {}): Question => ({
  role: 'user',
  id: 'question-1',
  createdAt: '2025-03-01T10:00:00.000Z',
  text,
  contextItems: [],
  ...fields,
});

export interface Asking extends Partial<AskRequest> {
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** The client to ask with, where one is to be asked more than once. */
  readonly client?: AssistantClient;
  readonly log?: RecordingLog;
  /** Called with each update as it comes, and the parts as they are with it. */
  readonly onUpdate?: (update: ReplyChange, parts: readonly MessagePart[]) => void;
}

export interface Outcome {
  readonly updateCount: number;
  /** The last that were yielded. */
  readonly parts: readonly MessagePart[];
  /** The text parts, joined. */
  readonly text: string;
  readonly threadId: string | undefined;
  readonly threadKey: string | undefined;
  readonly end: ReplyChange['end'];
  /** Thrown error, if it is one of our own. */
  readonly error: DocsAssistantError | undefined;
  /** The sentence that a person sees for it. */
  readonly sentence: string | undefined;
  /** Any other thrown value, such as the reason of a stop. */
  readonly thrown: unknown;
  readonly log: RecordingLog;
}

/** Asks, and checks on the way what holds for every reply: texts only grow, no key gets out. */
export async function ask(baseUrl: string, asking: Asking = {}): Promise<Outcome> {
  const log = asking.log ?? new RecordingLog();
  const client =
    asking.client ??
    new AssistantClient({
      fetch: (url, init) => fetch(url, init),
      clock: asking.clock ?? systemClock,
      log,
    });
  const request: AskRequest = {
    settings: settingsFor(baseUrl),
    key: assistantKey,
    messages: [aQuestion('How do I create a shipment?')],
    contextItems: [],
    ...asking,
  };
  // Not every update is kept: a long reply's texts would fill the memory.
  let updateCount = 0;
  let threadId: string | undefined;
  let threadKey: string | undefined;
  let end: ReplyChange['end'];
  let parts: readonly MessagePart[] = [];
  let thrown: unknown;
  try {
    for await (const update of client.ask(request, asking.signal ?? new AbortController().signal)) {
      const next = update.ops ? applied(parts, update.ops) : parts;
      assertGrown(parts, next);
      parts = next;
      assert.equal(end, undefined, 'an update came behind the end');
      updateCount++;
      threadId = update.serviceThread?.threadId ?? threadId;
      threadKey = update.serviceThread?.threadKey ?? threadKey;
      end = update.end;
      asking.onUpdate?.(update, parts);
    }
  } catch (error) {
    thrown = error;
  }
  const error = thrown instanceof DocsAssistantError ? thrown : undefined;
  const outcome: Outcome = {
    updateCount,
    parts,
    text: textOf(parts),
    threadId,
    threadKey,
    end,
    error,
    sentence: error && describeError(error).message,
    thrown: error ? undefined : thrown,
    log,
  };
  assertNoSecret([request.key], { ...outcome, thrown });
  assert.deepEqual(log.errors, []);
  return outcome;
}

export function textOf(parts: readonly MessagePart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Fails if any of the secrets is anywhere in the value, inside errors and their causes as well. */
export function assertNoSecret(secrets: readonly string[], value: unknown): void {
  const text = everythingIn(value);
  for (const secret of secrets) {
    for (const form of [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
      assert.ok(!text.includes(form), `a secret got out: …${around(text, form)}…`);
  }
}

function around(text: string, form: string): string {
  const at = text.indexOf(form);
  return text.slice(Math.max(0, at - 60), at + form.length + 20);
}

function assertGrown(before: readonly MessagePart[], after: readonly MessagePart[]): void {
  assert.ok(after.length >= before.length, 'a part went away');
  before.forEach((old, index) => {
    const part = after[index];
    if (old.type !== 'text' && old.type !== 'reasoning') return;
    assert.ok(part?.type === old.type && part.text.length >= old.text.length, 'a text shrank');
    // Comparing long texts at each update would be slower than what is tested.
    const isShort = old.text.length < 10_000;
    assert.ok(!isShort || part.text.startsWith(old.text), 'a text did not grow at its end');
  });
}
