// @ts-check
/**
 * Answers every request with the file given as its argument, as an event stream. A process of its
 * own, so that the reader under measurement has its event loop for itself. Prints its URL; ends
 * with its standard input.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , file = ''] = process.argv;
const stream = readFileSync(file);
const server = createServer((incoming, response) => {
  incoming.resume();
  incoming.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(stream);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${address.port}`);
});
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
