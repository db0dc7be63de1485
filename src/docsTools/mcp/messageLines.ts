/**
 * Keeps away from the SDK what it doesn't answer as it should: messages that are too large, which would end the
 * connection, lines that are no messages, and requests with wrong parameters.
 */
import { Transform } from 'node:stream';
import { isSpecType, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as v from 'valibot';

/** Bytes at the start and the end of a message in which its ID is looked for. */
const EDGE_BYTES = 1024;
const LINE_END = 0x0a;

const id = String.raw`"id"\s*:\s*(-?(?:0|[1-9]\d*)|"[^"\\\p{Cc}]*")`;
/** The ID behind other members that are text, as the first member that matters. */
const idAtStart = new RegExp(
  String.raw`^\s*\{\s*(?:"\w+"\s*:\s*"[^"\\]*"\s*,\s*)*${id}\s*[,}]`,
  'u',
);
/** The ID before the end, or before other members that are text. Only the message's own brace follows. */
const idAtEnd = new RegExp(String.raw`${id}\s*(?:,\s*"\w+"\s*:\s*"[^"\\]*"\s*)*\}\s*$`, 'u');

/** ID of a request, or null if it is not known, as JSON-RPC says it. */
export type MessageId = string | number | null;

/** An error that answers a line. */
export interface Refusal {
  readonly id: MessageId;
  readonly code: number;
  readonly message: string;
}

const withId = v.object({ id: v.union([v.string(), v.pipe(v.number(), v.integer())]) });
/** A response or a notification, to which JSON-RPC allows no answer. Two peers would answer without end. */
const unanswered = v.union([
  v.looseObject({ result: v.unknown() }),
  v.looseObject({ error: v.unknown() }),
  v.looseObject({ method: v.string(), id: v.optional(v.never()) }),
]);

/** Requests whose wrong parameters the SDK would answer as failures of the server, or with the error of its schema. */
const requests = new Map<unknown, (message: unknown) => boolean>([
  ['initialize', isSpecType.InitializeRequest],
  ['tools/list', isSpecType.ListToolsRequest],
  ['resources/list', isSpecType.ListResourcesRequest],
  ['resources/templates/list', isSpecType.ListResourceTemplatesRequest],
  ['resources/read', isSpecType.ReadResourceRequest],
  ['tools/call', isSpecType.CallToolRequest],
]);

/** Returns the answer to a request with wrong parameters. */
export function parameterRefusal(message: unknown): Refusal | undefined {
  if (!isSpecType.JSONRPCRequest(message)) return undefined;
  const { id, method } = message;
  if (requests.get(method)?.(message) ?? true) return undefined;
  const sentence = `The parameters of ${method} are missing or have wrong types.`;
  return { id, code: ProtocolErrorCode.InvalidParams, message: sentence };
}

/**
 * Returns the answer to a line that is no message, or a request with wrong parameters. Nothing of the line is in it
 * but the ID and the method of a request.
 */
export function refusalOf(line: string): Refusal | undefined {
  if (line.trim() === '') return undefined;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return { id: null, code: ProtocolErrorCode.ParseError, message: 'The line is not JSON.' };
  }
  const refusal = parameterRefusal(message);
  if (refusal || isSpecType.JSONRPCMessage(message) || v.is(unanswered, message)) return refusal;
  return {
    id: v.is(withId, message) ? message.id : null,
    code: ProtocolErrorCode.InvalidRequest,
    message: Array.isArray(message)
      ? 'Batches are not supported. Send each message on a line of its own.'
      : 'The line is not a message of MCP.',
  };
}

/**
 * Returns a stream that passes on whole lines. A longer line is dropped as it comes.
 * @param onDropped called at the end of a dropped line, with the ID of its request.
 * @param isPassed returns whether a line is passed on.
 */
export function messageLines(
  maxBytes: number,
  onDropped: (id: MessageId) => void,
  isPassed: (line: string) => boolean = () => true,
): Transform {
  let parts: Buffer[] = [];
  let size = 0;
  /** Start and end of the current line, once it is too long. */
  let dropped: { readonly start: string; end: Buffer } | undefined;

  const add = (part: Buffer): void => {
    size += part.length;
    if (dropped) dropped.end = Buffer.concat([dropped.end, part]).subarray(-EDGE_BYTES);
    else {
      parts.push(part);
      if (size <= maxBytes) return;
      const line = Buffer.concat(parts);
      const start = line.toString('utf8', 0, EDGE_BYTES);
      dropped = { start, end: line.subarray(-EDGE_BYTES) };
      parts = [];
    }
  };
  const endLine = (): Buffer | undefined => {
    const line = dropped ? undefined : Buffer.concat(parts);
    if (dropped) onDropped(idOf(dropped.start, dropped.end.toString('utf8')));
    parts = [];
    size = 0;
    dropped = undefined;
    return line;
  };

  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf(LINE_END); end !== -1; end = chunk.indexOf(LINE_END, from)) {
        add(chunk.subarray(from, end + 1));
        from = end + 1;
        const line = endLine();
        if (line && isPassed(line.toString())) this.push(line);
      }
      if (from < chunk.length) add(chunk.subarray(from));
      done();
    },
  });
}

function idOf(start: string, end: string): MessageId {
  const [, found] = idAtStart.exec(start) ?? idAtEnd.exec(end) ?? [];
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
