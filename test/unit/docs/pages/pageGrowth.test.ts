import assert from 'node:assert/strict';
import { pageOf, pageReaders, type PageReader, pageShapes } from '../../../builders/hostilePages';

const SHORT = 2000;
const LONG = 16_000;
/** Milliseconds below which a cost says nothing. */
const MIN_COST = 4;
/** Greatest cost of a character of the long text, beside the short one's. A square cost would be 8. */
const MOST = 3;
/** Measurements of a shape that seems to cost too much, because a busy machine costs time too. */
const MAX_TRIES = 8;

/** Returns the processor time of reading a text, the smallest of some rounds. */
async function cost(reader: PageReader, text: string, rounds: number): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = process.cpuUsage();
    await pageReaders[reader](text);
    least = Math.min(least, process.cpuUsage(start).user / 1000);
  }
  return least;
}

describe('The cost of a page', () => {
  for (const reader of Object.keys(pageReaders) as PageReader[]) {
    for (const shape of pageShapes) {
      // Shows faults.md K14.
      it(`grows with its length: ${shape.name}, as ${reader}`, async () => {
        let growth = Infinity;
        for (let tries = 0; growth > MOST && tries < MAX_TRIES; tries++) {
          // The first reading compiles code, which would make the short text look slow.
          const short = await cost(reader, pageOf(shape, SHORT), 2);
          const long = await cost(reader, pageOf(shape, LONG), 1);
          growth = Math.min(growth, long / Math.max(short, MIN_COST) / (LONG / SHORT));
        }
        assert.ok(growth <= MOST, `${growth.toFixed(1)} times as much for each character`);
      });
    }
  }
});
