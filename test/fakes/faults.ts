/**
 * The faults that {@link FaultProxy} can bring about, as plain JSON: a test in another process
 * sends them over HTTP (faultProxyControl.ts).
 */

/** What happens to one exchange. What is not given happens as it would without the proxy. */
export interface Fault {
  /** Only for requests like this; any request otherwise. */
  readonly when?: { readonly method?: string; readonly pathIncludes?: string };
  /** Exchanges that it applies to, 1 unless given. `Infinity` is not JSON: use a large number. */
  readonly times?: number;
  /** Answer in place of the service, which never sees the request. */
  readonly respond?: CannedResponse;
  /** Headers of the response to set, repeat (array) or take away (null). */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /** Changes of the stream's events, in this order, before it is encoded. */
  readonly rewrite?: readonly Rewrite[];
  /** Encodes the body and says so in the headers. Each event can be decoded as soon as it is sent. */
  readonly encode?: 'gzip' | 'br' | 'deflate';
  /** Sends pieces of that many bytes, each its own network chunk. */
  readonly pieceBytes?: number;
  /** Milliseconds between two pieces; none unless given. */
  readonly everyMs?: number;
  /** What happens on the way, in this order. */
  readonly cues?: readonly Cue[];
}

export interface CannedResponse {
  /** 200 unless given. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** A body that is not text. */
  readonly bodyBase64?: string;
  /** Sends the body that many times over, for bodies too large to write down. */
  readonly repeat?: number;
}

/**
 * A place in the response: before its headers, after that many bytes of the body as it travels
 * (0: after the headers), or right after a text of the body (not of an encoded one).
 */
export type Place = 'headers' | number | { readonly text: string };

/**
 * `hold` waits until the test opens the gate of that name. `reset` breaks the connection, `close`
 * closes it in the midst of the body, `end` ends the body as if it were whole.
 */
export type Cue =
  | { readonly at: Place; readonly do: 'hold'; readonly gate: string }
  | { readonly at: Place; readonly do: 'reset' | 'close' | 'end' };

/** An event of the stream by its number from 0, its `type`, or `[DONE]`. */
export type EventPlace = number | string;

/** Changes a server-sent event stream. Texts go in as they are, blank lines included. */
export type Rewrite =
  | { readonly do: 'insert'; readonly before: EventPlace; readonly text: string }
  | { readonly do: 'insert'; readonly after: EventPlace; readonly text: string }
  | { readonly do: 'replace'; readonly event: EventPlace; readonly text: string }
  | { readonly do: 'drop'; readonly event: EventPlace }
  | { readonly do: 'line-ends'; readonly with: '\r\n' | '\r' };

/** One exchange as the proxy saw it. */
export interface Exchange {
  readonly index: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The request's body, parsed if it is JSON. */
  readonly body: unknown;
  readonly bodyText: string;
  /** Absent until the response's headers are sent. */
  readonly status?: number;
  readonly responseHeaders?: Readonly<Record<string, string | readonly string[]>>;
  /** What was sent of the body, as text; before encoding. At most 16 Mi characters. */
  readonly responseText: string;
  /** Bytes sent of the body as it traveled. */
  readonly responseBytes: number;
  /** `client-gone`: the client closed the connection first. `cut`: a cue did. */
  readonly state: 'open' | 'complete' | 'cut' | 'client-gone' | 'service-unreachable';
}
