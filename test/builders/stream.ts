/** Streams as a service writes them. */

/** Returns one event. */
export function event(chunk: unknown): string {
  return `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`;
}

export function events(...chunks: readonly unknown[]): string {
  return chunks.map(event).join('');
}

/** Returns a whole, plain reply: one text part, then `finish` and `[DONE]`. */
export function aReplyStream(text: string, threadId = 'thread-1'): string {
  return events(
    { type: 'start', messageId: 'm1' },
    { type: 'start-step' },
    { type: 'text-start', id: '0' },
    ...text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: '0', delta })),
    { type: 'text-end', id: '0' },
    { type: 'finish-step' },
    { type: 'finish', threadId },
    '[DONE]',
  );
}

/** Ways to cut a body into network reads: whole, byte by byte, and at seeded random places. */
export function cuts(body: string | Uint8Array): { name: string; pieces: Uint8Array[] }[] {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return [
    { name: 'whole', pieces: [bytes] },
    {
      name: 'byte by byte',
      pieces: Array.from(bytes, (_, index) => bytes.slice(index, index + 1)),
    },
    ...[1, 2, 3].map((seed) => ({ name: `cut with seed ${seed}`, pieces: cutAt(bytes, seed) })),
  ];
}

function cutAt(bytes: Uint8Array, seed: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let state = seed;
  for (let start = 0; start < bytes.length;) {
    state = (state * 1103515245 + 12345) % 2147483648;
    const end = start + 1 + (state % 40);
    pieces.push(bytes.slice(start, end));
    start = end;
  }
  return pieces;
}
