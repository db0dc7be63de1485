/** File types by content. The view checks for a quick answer, and the host checks again. */

/** Media types of files that aren't text, by their first bytes. */
const signatures: readonly {
  readonly mediaType: string;
  readonly at: readonly (readonly [offset: number, bytes: string])[];
}[] = [
  { mediaType: 'image/png', at: [[0, '\x89PNG\r\n\x1a\n']] },
  { mediaType: 'image/jpeg', at: [[0, '\xff\xd8\xff']] },
  { mediaType: 'image/gif', at: [[0, 'GIF87a']] },
  { mediaType: 'image/gif', at: [[0, 'GIF89a']] },
  // oxfmt-ignore
  { mediaType: 'image/webp', at: [[0, 'RIFF'], [8, 'WEBP']] },
  { mediaType: 'application/pdf', at: [[0, '%PDF-']] },
];

/** Types of text, by extension. Any other text is `text/plain`, source code included. */
const textTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  geojson: 'application/json',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
  markdown: 'text/markdown',
  md: 'text/markdown',
  mdx: 'text/markdown',
  tsv: 'text/tab-separated-values',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/**
 * Returns the media type under which a file can be attached: PNG, JPEG, GIF, WebP and PDF by their
 * first bytes, text if it is UTF-8 without NUL. The name decides only which kind of text it is.
 *
 * @param content the whole file.
 * @returns undefined for a file of any other kind.
 */
export function fileType(filename: string, content: Uint8Array): string | undefined {
  const known = signatures.find(({ at }) =>
    at.every(([offset, bytes]) => startsWith(content, offset, bytes)),
  );
  if (known) return known.mediaType;
  if (!isText(content)) return undefined;
  const extension = /\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(textTypes, extension) ? textTypes[extension] : 'text/plain';
}

function startsWith(content: Uint8Array, offset: number, bytes: string): boolean {
  for (let index = 0; index < bytes.length; index++) {
    if (content[offset + index] !== bytes.charCodeAt(index)) return false;
  }
  return true;
}

function isText(content: Uint8Array): boolean {
  if (content.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(content);
    return true;
  } catch {
    return false;
  }
}
