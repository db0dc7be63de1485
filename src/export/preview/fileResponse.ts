/** Responses that the preview and the host of a site send alike: a file of the disk, and a page without one. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import send from 'send';

/**
 * Sends a file with `Range` and the conditions of the request. Headers that the response has already stay, `ETag` and
 * `Content-Type` too. A response with the status 404 has neither.
 *
 * @param root absolute path of a folder.
 * @param file path below the root with `/`, which the caller has checked.
 * @param fail called with a status if the file can't be sent. Nothing has been sent then, or only a part.
 */
export function sendFileOf(
  root: string,
  file: string,
  request: IncomingMessage,
  response: ServerResponse,
  fail: (status: number) => void,
): void {
  const isMissing = response.statusCode === 404;
  send(request, `/${file.split('/').map(encodeURIComponent).join('/')}`, {
    root,
    dotfiles: 'allow',
    index: false,
    extensions: false,
    cacheControl: false,
    etag: !isMissing,
    // A tag of the content says more than the time at which the file was unpacked.
    lastModified: !isMissing && !response.hasHeader('etag'),
    acceptRanges: !isMissing,
  })
    .on('error', ({ status }: { readonly status: number }) => fail(status))
    .pipe(response);
}

/** Sends a small page that names a status. It ends the connection if a part of a response was sent. */
export function sendPlainPage(response: ServerResponse, status: number, sentence: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  for (const name of response.getHeaderNames()) {
    const isOfFile = name !== 'content-range' && name.startsWith('content-');
    if (isOfFile || name === 'etag' || name === 'last-modified') response.removeHeader(name);
  }
  const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>${status}</title>
<h1>${status}</h1>
<p>${sentence}</p>
</html>
`;
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(page),
    'Content-Security-Policy': "default-src 'none'",
  });
  response.end(page);
}
