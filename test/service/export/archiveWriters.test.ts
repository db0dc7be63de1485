import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { generatedTree, readTree, writeTree, type Tree } from '../../builders/generatedTree';
import { unpackBundle } from '../../../src/export/archive/unpack';
import { archiveWriters } from './archiveWriters';

/** A sample; `ARCHIVE_TREES=1000` tries as many over all writers, which takes minutes. */
const treeCount = Number(process.env['ARCHIVE_TREES'] ?? 54);
const { found, missing } = archiveWriters();
const perWriter = Math.ceil(treeCount / found.length);

interface Tried {
  readonly tree: Tree;
  readonly folder: string;
  readonly archive: string;
  readonly turn: number;
}

/** True if the first 100 bytes, which tar keeps apart, end with a slash though the name goes on. */
const isCutAtSlash = (name: string): boolean =>
  ['', './', '././'].some((before) => {
    const bytes = Buffer.from(before + name);
    return bytes.length > 101 && bytes[99] === 0x2f;
  });

describe('Archives that programs on this machine write from generated trees', () => {
  let outer = '';
  let cutAtSlash = 0;
  let unpacked = 0;
  before(async () => {
    outer = await mkdtemp(path.join(os.tmpdir(), 'trees-'));
  });
  after(() => rm(outer, { recursive: true, force: true, maxRetries: 5 }));

  for (const [place, writer] of found.entries()) {
    it(`unpack to ${perWriter} equal trees, written by ${writer.name}`, async function () {
      this.timeout(30_000 + perWriter * 1000);
      const tried: Tried[] = [];
      for (let turn = 0; turn < perWriter; turn++) {
        const tree = generatedTree(place * 100_000 + turn, writer.shape);
        const folder = path.join(outer, `${place}-${turn}`);
        await writeTree(folder, tree);
        tried.push({ tree, folder, archive: `${folder}.bundle`, turn });
      }
      await writer.write(tried);
      for (const { tree, folder, archive, turn } of tried) {
        const target = `${folder}.unpacked`;
        await unpackBundle({
          archive,
          target,
          newId: randomUUID,
          signal: new AbortController().signal,
          onProgress: () => undefined,
        });
        assert.deepEqual(sorted(await readTree(target)), sorted(tree), `tree ${turn}`);
        cutAtSlash += Object.keys(tree).filter(isCutAtSlash).length;
        unpacked += 1;
        for (const done of [folder, archive, target]) {
          await rm(done, { recursive: true, force: true, maxRetries: 5 });
        }
      }
    });
  }

  it('contain names that tar cuts after a slash', function () {
    assert.ok(cutAtSlash > unpacked / 10, `${cutAtSlash} in ${unpacked} trees`);
    this.runnable().title += `: ${cutAtSlash} in ${unpacked} trees`;
  });

  for (const name of missing) {
    it(`were not tried with ${name}, which this machine does not have`, function () {
      this.skip();
    });
  }
});

const sorted = (tree: Tree): [string, string][] =>
  Object.entries(tree).sort(([a], [b]) => (a < b ? -1 : 1));
