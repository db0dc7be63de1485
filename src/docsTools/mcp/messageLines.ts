/** Keeps messages that are too large away from the SDK, which would end the connection. */
import { Transform } from 'node:stream';

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

/**
 * Returns a stream that passes on whole lines. A longer line is dropped as it comes.
 * @param onDropped called at the end of a dropped line, with the ID of its request.
 */
export function messageLines(maxBytes: number, onDropped: (id: MessageId) => void): Transform {
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
        if (line) this.push(line);
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
