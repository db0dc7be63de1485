/** The docs service as the suite sees it: its recorded exchanges, and faults on the way to it. */
import type { Exchange, Fault } from '../fakes/faults';
import { suiteEnvironment } from './suiteEnvironment';

async function control(method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${suiteEnvironment().faultProxyUrl}${path}`, {
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.json();
}

export const docsService = {
  /** Lines up faults; each request takes the first that fits it. */
  async queue(...faults: readonly Fault[]): Promise<void> {
    await control('POST', '/faults', faults);
  },
  async clearFaults(): Promise<void> {
    await control('DELETE', '/faults');
  },
  async openGate(gate: string): Promise<void> {
    await control('POST', `/gates/${gate}`);
  },
  /** Resolves once a response waits at the gate. */
  async whenHeld(gate: string): Promise<void> {
    await control('GET', `/gates/${gate}`);
  },
  async goDown(): Promise<void> {
    await control('POST', '/down');
  },
  async comeBack(): Promise<void> {
    await control('POST', '/up');
  },
  /** Every exchange so far, in the order of arrival. */
  async exchanges(): Promise<readonly Exchange[]> {
    // Written by faultProxyControl.ts, its only writer.
    return (await control('GET', '/exchanges')) as Exchange[];
  },
};

/** The body of a question, as far as the suite looks at it. */
export interface QuestionBody {
  readonly fp?: unknown;
  readonly threadId?: unknown;
  readonly retrievalPageSize?: unknown;
  readonly currentPath?: unknown;
  readonly context?: unknown;
  readonly filter?: { readonly version?: unknown };
  readonly messages: readonly {
    readonly role: string;
    readonly parts: readonly { readonly type: string; readonly text?: string }[];
  }[];
}

/** Returns the question that was asked last. */
export async function lastQuestion(): Promise<{ exchange: Exchange; body: QuestionBody }> {
  // The service is also searched, to know which packages its docs cover.
  const exchange = (await docsService.exchanges()).findLast(({ path }) =>
    path.endsWith('/message'),
  );
  if (!exchange) throw new Error('The service was asked nothing.');
  // The tests look at each field that they rely on.
  return { exchange, body: exchange.body as QuestionBody };
}

/**
 * Returns the thread that the service named at the end of a reply, or undefined if it named none.
 */
export function threadIdOf(exchange: Exchange): unknown {
  for (const line of exchange.responseText.split('\n')) {
    if (!line.startsWith('data: {')) continue;
    const event = JSON.parse(line.slice('data: '.length)) as { type: string; threadId?: unknown };
    if (event.type === 'finish') return event.threadId;
  }
  return undefined;
}

/**
 * Holds a reply in the midst of its text: its first delta has been sent when the gate is reached.
 * Gates are named once in the whole run.
 */
export async function holdMidReply(gate: string): Promise<void> {
  // Open from the start: it only marks where the end of the first delta is looked for.
  await docsService.openGate('first-delta');
  await docsService.queue({
    cues: [
      { at: { text: '"type":"text-delta"' }, do: 'hold', gate: 'first-delta' },
      { at: { text: '\n\n' }, do: 'hold', gate },
    ],
  });
}

/**
 * Returns a reply with the given text instead of the service's own. Other chunks may come before
 * it.
 */
export function cannedReply(text: string, before: readonly object[] = []): Fault {
  const events = [
    { type: 'start' },
    ...before,
    { type: 'text-start', id: 't' },
    { type: 'text-delta', id: 't', delta: text },
    { type: 'text-end', id: 't' },
    { type: 'finish' },
  ];
  const body = [...events.map((event) => JSON.stringify(event)), '[DONE]']
    .map((line) => `data: ${line}\n\n`)
    .join('');
  return { respond: { headers: { 'content-type': 'text/event-stream' }, body } };
}
