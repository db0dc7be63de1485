import { AssistantClient, type AskRequest } from '../../src/chat/assistant/assistantClient';
import type { ReplyEnd, ReplyThread, ReplyChange } from '../../src/shared/reply';
import { describeError } from '../../src/common/describeError';
import type { MessagePart } from '../../src/shared/uiMessage';
import { FakeClock } from '../fakes/fakeClock';
import { FakeFetch, streamOf, type Answer } from '../fakes/fakeFetch';
import { RecordingLog } from '../fakes/recordingLog';
import { anAskRequest } from './asking';
import { applied } from './ops';
import { cuts } from './stream';

/** Everything that came of one question. */
export interface Outcome {
  readonly updates: ReplyChange[];
  /** The parts as they were after each update. */
  readonly states: (readonly MessagePart[])[];
  parts: readonly MessagePart[];
  /** The texts of the text parts, joined. */
  text: string;
  thread: ReplyThread | undefined;
  end: ReplyEnd | undefined;
  error: unknown;
  readonly log: RecordingLog;
  readonly requests: FakeFetch['requests'];
}

/** Asks one question of a service that answers as given, and collects what the client yields. */
export async function outcomeOf(
  answer: Answer | readonly (string | Uint8Array)[],
  request: Partial<AskRequest> = {},
  headers?: Record<string, string>,
): Promise<Outcome> {
  const log = new RecordingLog();
  const server = new FakeFetch(
    typeof answer === 'function' ? answer : () => streamOf(answer, headers),
  );
  const client = new AssistantClient({ fetch: server.fetch, clock: new FakeClock(), log });
  const updates = client.ask(anAskRequest(request), new AbortController().signal);
  return collected(updates, { log, requests: server.requests });
}

/** Reads the updates to their end; what was thrown becomes `error`. */
export async function collected(
  updates: AsyncIterable<ReplyChange>,
  rest: Partial<Outcome> = {},
): Promise<Outcome> {
  const outcome: Outcome = {
    updates: [],
    states: [],
    parts: [],
    text: '',
    thread: undefined,
    end: undefined,
    error: undefined,
    log: new RecordingLog(),
    requests: [],
    ...rest,
  };
  try {
    for await (const update of updates) {
      outcome.updates.push(update);
      if (update.ops) {
        outcome.parts = applied(outcome.parts, update.ops);
      }
      outcome.states.push(outcome.parts);
      outcome.thread = update.serviceThread ?? outcome.thread;
      outcome.end = update.end ?? outcome.end;
    }
  } catch (error) {
    outcome.error = error;
  }
  outcome.text = outcome.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return outcome;
}

/** Returns the code of our own error, or undefined for anything else. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** A whole answer, JSON by its header. */
export const json = (
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): Answer => {
  const init = { status, headers: { 'content-type': 'application/json', ...headers } };
  return () => new Response(typeof body === 'string' ? body : JSON.stringify(body), init);
};

/** Starts a client that asks, and returns it with the means to move time and the network. */
export function asking(answer: Answer, request: Parameters<typeof anAskRequest>[0] = {}) {
  const clock = new FakeClock();
  const log = new RecordingLog();
  const server = new FakeFetch(answer);
  const client = new AssistantClient({ fetch: server.fetch, clock, log });
  const controller = new AbortController();
  const outcome = collected(client.ask(anAskRequest(request), controller.signal), { log });
  return { clock, log, server, controller, outcome };
}

/** Returns the sentence that a person reads about the error that ended a reply. */
export function sentenceOf({ error }: Outcome): string {
  return describeError(error).message;
}

/** Asserts the same end result, however the network cuts the bytes. */
export async function assertForAllCuts(
  body: string | Uint8Array,
  check: (outcome: Outcome) => void,
): Promise<void> {
  for (const { name, pieces } of cuts(body)) {
    const outcome = await outcomeOf(pieces);
    try {
      check(outcome);
    } catch (error) {
      if (error instanceof Error) error.message = `${name}: ${error.message}`;
      throw error;
    }
  }
}
