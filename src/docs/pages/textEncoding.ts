/** Facts that help to tell the encoding of a text. */
interface EncodingHints {
  /** Name of the encoding from outside of the text, such as the `charset` of its content type. */
  readonly charset?: string;
  /** Whether the text is HTML, which can name its encoding in a `<meta>` element. */
  readonly isHtml?: boolean;
}

/** Number of bytes within which HTML must name its encoding, from the HTML standard. */
const META_BYTES = 1024;

/**
 * Decodes a text. A byte order mark decides the encoding, or else `charset`, or else the encoding that HTML
 * names, or else UTF-8. Text that is not valid UTF-8 is read as Windows-1252.
 */
export function decodeText(bytes: Uint8Array, { charset, isHtml }: EncodingHints = {}): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const named = hasMark
    ? undefined
    : (charset ?? (isHtml === true ? metaCharset(bytes) : undefined));
  const decoder = named === undefined ? undefined : decoderFor(named);
  if (decoder && decoder.encoding !== 'utf-8') return decoder.decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A text that was cut can end within a character. It is still UTF-8.
    const text = new TextDecoder('utf-8').decode(bytes);
    const isCut = text.indexOf('\uFFFD') >= text.length - 1;
    return isCut ? text.slice(0, -1) : new TextDecoder('windows-1252').decode(bytes);
  }
}

function decoderFor(name: string): TextDecoder | undefined {
  try {
    return new TextDecoder(name.trim());
  } catch {
    return undefined;
  }
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, META_BYTES));
  const name = /<meta\b[^>]{0,200}?\bcharset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1];
  // The name was readable as single bytes, so the text can't be UTF-16.
  return name !== undefined && /^utf-?16/i.test(name) ? undefined : name;
}
