import assert from 'node:assert/strict';
import { chmod, readdir, readFile, readlink, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { packFolder } from '../../../src/service/export/exportFiles';
import { docsFolder } from './localServiceAsking';
import { filesOf, sha256 } from './localServiceExporting';

const going = new AbortController().signal;
const MIB = 1024 * 1024;

const long = `${'deep/'.repeat(40)}${'name'.repeat(20)}.html`;
const site: Readonly<Record<string, string>> = {
  'z.html': 'last',
  'a.html': 'first',
  '@scope/page.html': 'an at sign',
  'guides/a b.html': 'a space',
  'guides/größe.html': 'an umlaut',
  'guides/empty.html': '',
  [long]: 'a long name',
};

describe('packFolder', () => {
  const folders: Awaited<ReturnType<typeof docsFolder>>[] = [];
  const folderOf = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    const folder = await docsFolder(files);
    folders.push(folder);
    return folder;
  };
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => folder.remove()));
  });
  /** Returns the path of a new archive. */
  const target = async (): Promise<string> => path.join((await folderOf({})).root, 'a.tar.gz');

  it('packs every file under its own name, sorted, and returns size and hash', async () => {
    const archive = await target();
    const packed = await packFolder((await folderOf(site)).root, archive, going);
    const bytes = await readFile(archive);
    assert.deepEqual(packed, { sizeBytes: bytes.length, sha256: sha256(bytes) });
    const files = await filesOf(bytes);
    assert.deepEqual([...files.keys()], Object.keys(site).sort());
    for (const [name, text] of Object.entries(site)) assert.equal(files.get(name), text);
  });

  it('returns the same bytes for the same files and times, however they were written', async () => {
    const one = await folderOf(site);
    const other = await folderOf(Object.fromEntries(Object.entries(site).reverse()));
    await chmod(path.join(other.root, 'a.html'), 0o600);
    for (const { root } of [one, other])
      for (const name of Object.keys(site)) await utimes(path.join(root, name), 1000, 1000);
    const archives = [await target(), await target()] as const;
    const packed = await packFolder(one.root, archives[0], going);
    assert.deepEqual(await packFolder(other.root, archives[1], going), packed);
  });

  it('returns another hash for another file', async () => {
    const folder = await folderOf(site);
    const before = await packFolder(folder.root, await target(), going);
    await folder.write('z.html', 'LAST');
    const after = await packFolder(folder.root, await target(), going);
    assert.notEqual(before.sha256, after.sha256);
  });

  it('packs a file that is larger than one read', async () => {
    const large = Buffer.alloc(5 * MIB + 7, 'parcels ');
    const archive = await target();
    await packFolder((await folderOf({ 'large.html': large })).root, archive, going);
    assert.ok((await stat(archive)).size < MIB);
    const unpacked = gunzipSync(await readFile(archive));
    assert.ok(unpacked.subarray(512, 512 + large.length).equals(large));
  });

  it('fails if a file cannot be read or the folder is missing', async () => {
    await assert.rejects(packFolder('no/such/folder', await target(), going), /ENOENT/);
    const folder = (await folderOf(site)).root;
    await assert.rejects(packFolder(folder, path.join(folder, 'no/a.tar.gz'), going), /ENOENT/);
  });

  it('stops on its signal, and closes open files', async () => {
    const stopping = new AbortController();
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, count) => [`${count}.html`, Buffer.alloc(MIB / 4)]),
    );
    const { root } = await folderOf(many);
    const packing = packFolder(root, await target(), stopping.signal);
    const reason = new Error('stopped');
    stopping.abort(reason);
    await assert.rejects(packing, reason);
    if (process.platform !== 'linux') return;
    const openBelow = async (): Promise<boolean> => {
      const links = await Promise.all(
        (await readdir('/proc/self/fd')).map((fd) =>
          readlink(`/proc/self/fd/${fd}`).catch(() => ''),
        ),
      );
      return links.some((link) => link.startsWith(root));
    };
    while (await openBelow()) await new Promise((resolve) => setImmediate(resolve));
  });
});
