import { createParser, type ParseError } from 'eventsource-parser';

/**
 * Longest event, in characters. The longest real events contain a file as a `data:` link. A longer
 * text is a line without an end, which would fill the memory (faults.md A17).
 */
export const MAX_EVENT_LENGTH = 1024 * 1024;

/** Characters for field names, which the parser counts as a part of the event. */
const FIELD_ROOM = 1024;

/** Thrown if an event, or a line without an end, is longer than {@link MAX_EVENT_LENGTH}. */
export class EventTooLongError extends Error {
  constructor() {
    super(`An event is longer than ${MAX_EVENT_LENGTH} characters`);
    this.name = 'EventTooLongError';
  }
}

/** One event as the service sent it. */
export interface StreamEvent {
  readonly data: string;
  /** Value of the `event` field. Chunks of a reply have none. */
  readonly name?: string | undefined;
}

/**
 * Reads the bytes of a server-sent event stream and returns each event as soon as it is complete.
 *
 * The parser is the one inside `ai`. This class adds two things. It turns every line end into a
 * line feed, because the parser holds back a lone CR until the next byte and loses a CR at the end.
 * And it accepts a last event without a blank line after it (faults.md A2, A6).
 */
export class EventReader {
  // One decoder serves the whole body. It joins characters that were split between reads and drops
  // a byte order mark.
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

  /** True if the body had lines that no event stream has, so that it is something else. */
  get hasOtherLines(): boolean {
    return this.#hasOtherLines;
  }

  /**
   * @returns the decoded text, for a caller that examines a body that isn't an event stream.
   * @throws {EventTooLongError} if an event is too long. Nothing more can be read after that.
   */
  push(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#feed(text);
    return text;
  }

  /** Ends the body. The last event counts as complete. */
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
