/** Reply streams written out, for tests whose point is the stream's own form. */
import type { Fault } from '../../fakes/faults';

export const event = (chunk: unknown): string => `data: ${JSON.stringify(chunk)}\n\n`;

export const delta = (text: string, id = 't'): string =>
  event({ type: 'text-delta', id, delta: text });

export const start = event({ type: 'start', messageId: 'reply-1' });
export const textStart = event({ type: 'text-start', id: 't' });
export const textEnd = event({ type: 'text-end', id: 't' });
export const finish = event({ type: 'finish', threadId: 'thread-1' });
export const done = 'data: [DONE]\n\n';

/** A whole reply whose text comes in these deltas. */
export const replyOf = (...texts: readonly string[]): string =>
  [start, textStart, ...texts.map((text) => delta(text)), textEnd, finish, done].join('');

/** The proxy answers with this stream itself. */
export const streamFault = (body: string, fault: Fault = {}): Fault => ({
  ...fault,
  respond: { headers: { 'content-type': 'text/event-stream' }, body, ...fault.respond },
});

/** Returns the response, and counts each network chunk before it is passed on to the reader. */
export function counted(response: Response, count: (bytes: number) => unknown): Response {
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    async transform(bytes, controller) {
      await count(bytes.length);
      controller.enqueue(bytes);
    },
  });
  return new Response(response.body?.pipeThrough(counter) ?? null, response);
}
