/** Whether reading an archive for its entries costs the same for each, however many there are. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { unpackBundle } from '../../src/export/archive/unpack';
import { aTar, aZip } from '../builders/archive';
import { bounded, median, report, type BenchRow } from './benchRow';

const FEW = 1000;
const MANY = 20_000;
const ROUNDS = 5;
const folder = path.resolve('out/bench/unpack');

/** Pages, and at the end a name that is refused, so that all entries are read and no file is made. */
function entries(count: number): { name: string; content: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    name: index === count - 1 ? '../refused' : `section-${index % 50}/page-${index}.html`,
    content: `<h1>Page ${index}</h1>`,
  }));
}

async function msPerEntry(archive: string, count: number): Promise<number> {
  const startedAt = performance.now();
  const unpacking = unpackBundle({
    archive,
    target: path.join(folder, 'site'),
    newId: () => 'id',
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const isRefused = await unpacking.then(
    () => false,
    () => true,
  );
  if (!isRefused) throw new Error('The archive was unpacked');
  return (performance.now() - startedAt) / count;
}

async function growth(format: string, make: (count: number) => Buffer): Promise<BenchRow> {
  const times: { few: number[]; many: number[] } = { few: [], many: [] };
  const few = path.join(folder, `few.${format}`);
  const many = path.join(folder, `many.${format}`);
  writeFileSync(few, make(FEW));
  writeFileSync(many, make(MANY));
  // The first brings the code into memory.
  await msPerEntry(many, MANY);
  for (let round = 0; round < ROUNDS; round++) {
    // As many entries of each, so that both are interrupted as often.
    const share: number[] = [];
    for (let turn = 0; turn < MANY / FEW; turn++) share.push(await msPerEntry(few, FEW));
    times.few.push(median(share));
    times.many.push(await msPerEntry(many, MANY));
  }
  return bounded({
    name: `reading a ${format}: cost of an entry, ${MANY} to ${FEW}`,
    unit: '×',
    ours: median(times.many) / median(times.few),
    goal: 1.3,
    note: `${(median(times.many) * 1000).toFixed(0)} µs an entry`,
  });
}

async function main(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const rows = [
    await growth('tar.gz', (count) => gzipSync(aTar(entries(count)))),
    await growth('zip', (count) => aZip(entries(count))),
  ];
  rmSync(folder, { recursive: true, force: true });
  report(rows);
}

await main();
