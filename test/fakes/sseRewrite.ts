import type { EventPlace, Rewrite } from './faults';

interface StreamEvent {
  readonly index: number;
  /** The event's `type`, `[DONE]`, or undefined for anything else. */
  readonly name: string | undefined;
  readonly text: string;
}

/** Applies the changes to a server-sent event stream, event by event as they arrive. */
export async function* rewriteEvents(
  source: AsyncIterable<Buffer>,
  rewrites: readonly Rewrite[],
): AsyncGenerator<Buffer> {
  for await (const event of splitEvents(source)) {
    const text = rewrites.reduce(
      (current, rewrite) => applied(rewrite, event, current),
      event.text,
    );
    if (text !== '') yield Buffer.from(text);
  }
}

async function* splitEvents(source: AsyncIterable<Buffer>): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let rest = '';
  let index = 0;
  for await (const piece of source) {
    rest += decoder.decode(piece, { stream: true });
    for (let end = rest.indexOf('\n\n'); end !== -1; end = rest.indexOf('\n\n')) {
      const text = rest.slice(0, end + 2);
      rest = rest.slice(end + 2);
      yield { index, name: eventName(text), text };
      index += 1;
    }
  }
  if (rest !== '') yield { index, name: eventName(rest), text: rest };
}

function eventName(text: string): string | undefined {
  const value = /^data: ?(.*)$/m.exec(text)?.[1]?.trim();
  if (value === undefined || value === '[DONE]') return value;
  try {
    const chunk: unknown = JSON.parse(value);
    if (typeof chunk === 'object' && chunk !== null && 'type' in chunk) return String(chunk.type);
  } catch {
    // Other events have no name. A rewrite can address them by their number.
  }
  return undefined;
}

function applied(rewrite: Rewrite, event: StreamEvent, text: string): string {
  const isAt = (place: EventPlace): boolean => place === event.index || place === event.name;
  switch (rewrite.do) {
    case 'insert':
      if ('before' in rewrite) return isAt(rewrite.before) ? rewrite.text + text : text;
      return isAt(rewrite.after) ? text + rewrite.text : text;
    case 'replace':
      return isAt(rewrite.event) ? rewrite.text : text;
    case 'drop':
      return isAt(rewrite.event) ? '' : text;
    case 'line-ends':
      return text.replaceAll('\n', rewrite.with);
  }
}
