/** Sends files of a version with the headers of the generated hosting configurations. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import {
  compressedTypes,
  FRESH,
  rareTypes,
  securityHeaders,
} from '../export/hosting/servers/common';
import { sendFileOf, sendPlainPage } from '../export/preview/fileResponse';
import { acceptedEncoding, isWorthCompressing, type CompressedFiles } from './compressedFiles';
import type { SiteVersion, VersionFile } from './siteVersion';

const compressed: ReadonlySet<string> = new Set(['text/html', ...compressedTypes]);

/** Sets the headers that every response of the host has. */
export function setCommonHeaders(response: ServerResponse): void {
  response.setHeader('Cache-Control', FRESH);
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value);
}

/**
 * Sends a file of a version, compressed if the request allows it, with status 200, 206, 304 or, for the page of
 * missing addresses, 404.
 */
export async function sendVersionFile(
  request: IncomingMessage,
  response: ServerResponse,
  version: SiteVersion,
  file: VersionFile,
  contents: CompressedFiles,
): Promise<void> {
  const isMissing = response.statusCode === 404;
  const type = mediaType(file);
  response.setHeader('Content-Type', type);
  response.setHeader('Content-Security-Policy', version.policy);
  if (!isMissing) response.setHeader('Cache-Control', file.caching);
  const isCompressible =
    isWorthCompressing(file.sizeBytes) && compressed.has(type.split(';', 1)[0] ?? '');
  if (isCompressible) response.setHeader('Vary', 'Accept-Encoding');
  const { 'accept-encoding': accepted, range } = request.headers;
  const encoding = isCompressible && range === undefined ? acceptedEncoding(accepted) : undefined;
  const tag = `"${file.digest}${encoding === undefined ? '' : `-${encoding}`}"`;
  if (!isMissing) response.setHeader('ETag', tag);
  if (encoding === undefined) {
    sendFileOf(version.folder, file.path, request, response, (status) => {
      // A request that its conditions or its range refuse is no error of the host.
      const isRefused = status === 412 || status === 416;
      sendPlainPage(
        response,
        isRefused ? status : 500,
        isRefused ? 'The file has changed, or has no such range.' : 'The file can’t be read.',
      );
    });
    return;
  }
  if (!isMissing && hasTag(request.headers['if-none-match'], tag)) {
    response.removeHeader('Content-Type');
    response.writeHead(304).end();
    return;
  }
  const content = await contents.get(path.join(version.folder, file.path), file.digest, encoding);
  response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Length', content.length);
  // The status is that of the response so far: 200, or 404 for the page of missing addresses.
  response.end(request.method === 'HEAD' ? undefined : content);
}

/** Returns the media type of a file. A page whose name looks like another file stays HTML. */
function mediaType({ path: file, isPage }: VersionFile): string {
  if (isPage) return 'text/html; charset=utf-8';
  const extension = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  const rare = rareTypes.get(extension);
  if (rare !== undefined) return rare.startsWith('text/') ? `${rare}; charset=utf-8` : rare;
  return getMimeType(file) ?? 'application/octet-stream';
}

/** Returns whether `If-None-Match` has a tag (RFC 9110 § 13.1.2). */
function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => each.trim().replace(/^W\//, '') === tag);
}
