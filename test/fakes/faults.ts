/**
 * The faults that {@link FaultProxy} can cause. They are plain JSON, so that a test in another process
 * can send them over HTTP (faultProxyControl.ts).
 */

/** Changes to one exchange. Everything else happens as it would without the proxy. */
export interface Fault {
  /** Requests to which the fault applies. Default: any request. */
  readonly when?: { readonly method?: string; readonly pathIncludes?: string };
  /** Number of exchanges to which the fault applies. Default: 1. JSON has no `Infinity`, so use a large number. */
  readonly times?: number;
  /** Response of the proxy. The service never sees the request. */
  readonly respond?: CannedResponse;
  /** Headers of the response to set, repeat (array) or remove (null). */
  readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
  /** Changes to the events of the stream, in this order, before encoding. */
  readonly rewrite?: readonly Rewrite[];
  /** Encoding of the body, also in the headers. A client can decode each event as soon as it arrives. */
  readonly encode?: 'gzip' | 'br' | 'deflate';
  /** Size of the pieces of the body in bytes. Each piece is its own network chunk. */
  readonly pieceBytes?: number;
  /** Milliseconds between two pieces. Default: 0. */
  readonly everyMs?: number;
  /** Cues during the response, in this order. */
  readonly cues?: readonly Cue[];
}

export interface CannedResponse {
  /** HTTP status. Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Body that is not text. */
  readonly bodyBase64?: string;
  /** Number of times to send the body, for bodies that are too large to write down. */
  readonly repeat?: number;
}

/**
 * A position in the response: before its headers, after a number of bytes of the encoded body (0 is
 * right after the headers), or right after a text of a body that is not encoded.
 */
export type Place = 'headers' | number | { readonly text: string };

/**
 * `hold` waits until the test opens the gate of that name. `reset` breaks the connection, `close`
 * closes it in the middle of the body, and `end` ends the body as if it were complete.
 */
export type Cue =
  | { readonly at: Place; readonly do: 'hold'; readonly gate: string }
  | { readonly at: Place; readonly do: 'reset' | 'close' | 'end' };

/** An event of the stream by its number from 0, its `type`, or `[DONE]`. */
export type EventPlace = number | string;

/** A change to a server-sent event stream. Inserted texts are used as they are, including blank lines. */
export type Rewrite =
  | { readonly do: 'insert'; readonly before: EventPlace; readonly text: string }
  | { readonly do: 'insert'; readonly after: EventPlace; readonly text: string }
  | { readonly do: 'replace'; readonly event: EventPlace; readonly text: string }
  | { readonly do: 'drop'; readonly event: EventPlace }
  | { readonly do: 'line-ends'; readonly with: '\r\n' | '\r' };

/** A request and its response, as the proxy saw them. */
export interface Exchange {
  readonly index: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly path: string;
  /** Headers of the request, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Body of the request, parsed if it is JSON. */
  readonly body: unknown;
  readonly bodyText: string;
  /** Status of the response. Undefined until its headers are sent. */
  readonly status?: number;
  readonly responseHeaders?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent part of the body as text, before encoding. At most 16 Mi characters. */
  readonly responseText: string;
  /** Number of bytes of the encoded body that were sent. */
  readonly responseBytes: number;
  /** `client-gone`: the client closed the connection first. `cut`: a cue closed it. */
  readonly state: 'open' | 'complete' | 'cut' | 'client-gone' | 'service-unreachable';
}
