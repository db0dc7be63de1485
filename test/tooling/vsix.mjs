// @ts-check
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

// This is vsce's own zip reader, so that the package is read as vsce reads it.
const yauzl = createRequire(createRequire(import.meta.url).resolve('@vscode/vsce'))('yauzl');

/**
 * Calls `visit` with each file of a `.vsix`, in order.
 *
 * @param {string} file
 * @param {(entry: { name: string, sizeBytes: number, open: () => Promise<NodeJS.ReadableStream> }) => Promise<void>} visit
 *   `name` has forward slashes
 */
async function eachEntry(file, visit) {
  /** @type {any} -- yauzl brings no types */
  const archive = await new Promise((resolve, reject) => {
    yauzl.open(
      file,
      { lazyEntries: true, autoClose: true },
      (/** @type {Error | null} */ error, /** @type {unknown} */ opened) =>
        error ? reject(error) : resolve(opened),
    );
  });
  await new Promise((resolve, reject) => {
    archive.on('error', reject);
    archive.on('end', resolve);
    archive.on('entry', (/** @type {{ fileName: string, uncompressedSize: number }} */ entry) => {
      if (entry.fileName.endsWith('/')) {
        archive.readEntry();
        return;
      }
      const open = () =>
        new Promise((opened, failed) => {
          archive.openReadStream(
            entry,
            (/** @type {Error | null} */ error, /** @type {any} */ stream) =>
              error ? failed(error) : opened(stream),
          );
        });
      visit({ name: entry.fileName, sizeBytes: entry.uncompressedSize, open }).then(
        () => archive.readEntry(),
        reject,
      );
    });
    archive.readEntry();
  });
}

/** @param {string} file a `.vsix` @returns {Promise<{ name: string, sizeBytes: number }[]>} unpacked sizes */
export async function listVsix(file) {
  /** @type {{ name: string, sizeBytes: number }[]} */
  const found = [];
  await eachEntry(file, ({ name, sizeBytes }) => {
    found.push({ name, sizeBytes });
    return Promise.resolve();
  });
  return found;
}

/**
 * Unpacks the extension in a `.vsix`, as VS Code does when it installs it.
 *
 * @param {string} file
 * @param {string} folder an empty one
 * @returns {Promise<string>} the extension's folder
 */
export async function unpackVsix(file, folder) {
  const extension = path.join(folder, 'extension');
  await eachEntry(file, async ({ name, open }) => {
    const target = path.resolve(folder, name);
    // yauzl refuses names that lead outside; what is not the extension is vsce's own.
    if (!target.startsWith(extension + path.sep)) return;
    await mkdir(path.dirname(target), { recursive: true });
    await pipeline(await open(), createWriteStream(target));
  });
  return extension;
}
