import { createParser, type ParseError } from 'eventsource-parser';

/**
 * Longest event, in characters. The longest real one holds a file as a `data:` link; anything
 * longer is not an event but a line without an end, which would fill the memory (faults.md A17).
 */
export const MAX_EVENT_LENGTH = 1024 * 1024;

/** Room for field names around the largest event in the parser's own count. */
const FIELD_ROOM = 1024;

/** Thrown for an event, or a line without an end, that is longer than {@link MAX_EVENT_LENGTH}. */
export class EventTooLongError extends Error {
  constructor() {
    super(`An event is longer than ${MAX_EVENT_LENGTH} characters`);
    this.name = 'EventTooLongError';
  }
}

/** One event as it came. */
export interface StreamEvent {
  readonly data: string;
  /** Value of the `event` field. Chunks of a reply don't have it. */
  readonly name?: string | undefined;
}

/**
 * Bytes of a server-sent event stream → its events, as soon as each is complete.
 *
 * The parser is the one inside `ai`, fed through one streaming decoder. Two things are added:
 * every line end is made a line feed before it, since it holds a lone CR back until the next byte
 * and loses the one at the end; and the last event needs no blank line behind it (faults.md A2, A6).
 */
export class EventReader {
  // One decoder for the whole body: it joins characters that the network cut, and drops one BOM.
  readonly #decoder = new TextDecoder();
  readonly #parser;
  #endedWithCr = false;
  #isTooLong = false;
  #hasOtherLines = false;

  constructor(onEvent: (event: StreamEvent) => void) {
    this.#parser = createParser({
      onEvent: ({ data, event: name }) => {
        if (data.length > MAX_EVENT_LENGTH) this.#isTooLong = true;
        else if (!this.#isTooLong) onEvent({ data, name });
      },
      onError: (error: ParseError) => {
        if (error.type === 'max-buffer-size-exceeded') this.#isTooLong = true;
        if (error.type === 'unknown-field') this.#hasOtherLines = true;
      },
      maxBufferSize: MAX_EVENT_LENGTH + FIELD_ROOM,
    });
  }

  /** Returns true if there were lines that no event stream has, as in a body of another kind. */
  get hasOtherLines(): boolean {
    return this.#hasOtherLines;
  }

  /**
   * @returns the decoded text, for those who look at a body that is no event stream.
   * @throws {EventTooLongError} after which nothing more can be read.
   */
  push(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#feed(text);
    return text;
  }

  /** Ends the body: what is there of the last event counts as all of it. */
  end(): void {
    this.#feed(`${this.#decoder.decode()}\n\n`);
  }

  #feed(text: string): void {
    const lines = this.#withLineFeeds(text);
    if (lines !== '' && !this.#isTooLong) this.#parser.feed(lines);
    if (this.#isTooLong) throw new EventTooLongError();
  }

  #withLineFeeds(text: string): string {
    if (text === '') return text;
    const start = this.#endedWithCr && text.startsWith('\n') ? 1 : 0;
    this.#endedWithCr = text.endsWith('\r');
    const rest = start === 0 ? text : text.slice(start);
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}
