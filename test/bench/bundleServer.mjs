// @ts-check
/**
 * Answers every request with the given number of bytes that do not compress, as an object store
 * does with a bundle, and holds a megabyte of them at most. A process of its own, so that the
 * client under measurement has its event loop for itself. Prints its URL; ends with its standard
 * input.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const [, , size = ''] = process.argv;
const sizeBytes = Number(size);
const block = randomBytes(1_000_000);
const start = Buffer.from(block);
// The mark of a gzip file.
start.set([0x1f, 0x8b]);

function* bytes() {
  for (let sent = 0; sent < sizeBytes; sent += block.length) {
    yield (sent === 0 ? start : block).subarray(0, sizeBytes - sent);
  }
}

const server = createServer((incoming, response) => {
  incoming.resume();
  response.writeHead(200, {
    'content-type': 'application/gzip',
    'content-length': sizeBytes,
    etag: '"bench"',
  });
  pipeline(Readable.from(bytes(), { objectMode: false, highWaterMark: 1_000_000 }), response).catch(
    () => response.destroy(),
  );
});
// A client that is measured between two of another's rounds finds its connection still open.
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) {
    console.log(`http://127.0.0.1:${address.port}/bundle.tar.gz`);
  }
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
