// @ts-check
/**
 * Fetches the documentation that the question sets beside this file are about. The documentation
 * itself is not in the repository: it comes from the package registries and from git repositories by
 * their own clients, each set in the version in which its questions were written.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * @typedef {object} DocsSet
 * @property {string} name also in the name of its questions, `questions-<name>.json`
 * @property {'debian' | 'debian-source' | 'npm' | 'git'} from
 * @property {string} package name, or URL of a git repository
 * @property {string} version version, or commit
 * @property {string} docs path of the docs folder in the unpacked package (below `package/` for npm)
 * @property {string} license
 * @property {boolean} closed whether nothing may be tuned to this set
 * @property {boolean} [isOnlyCode] whether all of its questions are about selected code
 * @property {boolean} [isOnlyShort] whether it has only short questions
 * @property {string} [without] folder that is not fetched, such as large data
 */

/** @returns {Promise<DocsSet[]>} */
export async function readSets() {
  const file = fileURLToPath(new URL('sets.json', import.meta.url));
  return JSON.parse(await readFile(file, 'utf8'));
}

/** @param {DocsSet} set @returns {string} the file of the set's questions */
export function questionsOf({ name }) {
  return fileURLToPath(new URL(`questions-${name}.json`, import.meta.url));
}

/**
 * Returns the file of the short questions about a set, or `undefined` if it has none.
 *
 * @param {string} name
 */
export function shortQuestionsOf(name) {
  const file = fileURLToPath(new URL(`short/${name}.json`, import.meta.url));
  return existsSync(file) ? file : undefined;
}

/**
 * Fetches and unpacks a set's package unless that has been done.
 *
 * @param {DocsSet} set
 * @param {string} cacheDir
 * @returns {Promise<string>} the docs folder
 */
export async function fetchSet(set, cacheDir) {
  const folder = path.resolve(cacheDir, fileName(`${set.name}-${set.version}`));
  if (!existsSync(folder)) {
    await mkdir(path.dirname(folder), { recursive: true });
    const temporary = await mkdtemp(`${folder}.part-`);
    try {
      const tree = path.join(temporary, 'tree');
      await unpackers[set.from](set, temporary, tree);
      docsFolder(set, tree);
      await moveInto(tree, folder);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }
  return docsFolder(set, folder);
}

/** @type {Record<DocsSet['from'], (set: DocsSet, folder: string, tree: string) => Promise<void>>} */
const unpackers = {
  async debian(set, folder, tree) {
    await fromDebian(set, ['download', `${set.package}=${set.version}`], folder);
    await command('dpkg-deb', ['-x', await fileIn(folder, '.deb'), tree], folder);
  },
  async 'debian-source'(set, folder, tree) {
    const args = ['source', '--download-only', `${set.package}=${set.version}`];
    await fromDebian(set, args, folder);
    await command('dpkg-source', ['--no-check', '-x', await fileIn(folder, '.dsc'), tree], folder);
  },
  async npm(set, folder, tree) {
    const wanted = `${set.package}@${set.version}`;
    try {
      await command('npm', ['pack', wanted, '--pack-destination', folder], folder);
    } catch (error) {
      if (!/\bE404\b|\bETARGET\b/.test(messageOf(error))) throw error;
      throw new Error(`The registry of npm no longer has ${wanted}.`, { cause: error });
    }
    await mkdir(tree);
    const archive = await fileIn(folder, '.tgz');
    await command('tar', ['-xzf', archive, '-C', tree, '--strip-components=1'], folder);
  },
  async git(set, _folder, tree) {
    await mkdir(tree);
    await command('git', ['init', '--quiet'], tree);
    await command('git', ['remote', 'add', 'origin', set.package], tree);
    // Otherwise git can tidy up in the background while the repository is removed.
    await command('git', ['config', 'gc.auto', '0'], tree);
    // Only the files of the docs are fetched, when they are checked out.
    const lazily = ['fetch', '--quiet', '--depth=1', '--filter=blob:none'];
    await command('git', [...lazily, 'origin', set.version], tree);
    const but = set.without === undefined ? [] : [`:(exclude)${set.without}`];
    await command('git', ['checkout', '--quiet', 'FETCH_HEAD', '--', set.docs, ...but], tree);
    await rm(path.join(tree, '.git'), { recursive: true });
  },
};

/** @param {DocsSet} set @param {string[]} args @param {string} folder */
async function fromDebian(set, args, folder) {
  try {
    await command('apt-get', args, folder);
  } catch (error) {
    const message = messageOf(error);
    if (/You must put some .*URIs in your sources\.list/.test(message)) {
      throw new Error(`The set ${set.name} wants deb-src lines in the sources of apt.`, {
        cause: error,
      });
    }
    if (!/was not found|Unable to locate|Unable to find|Can't find|404 +Not Found/.test(message)) {
      throw error;
    }
    throw new Error(
      `apt has no ${set.package} ${set.version}. Run \`apt-get update\`. If the version is gone, ` +
        `take one that \`apt-cache madison ${set.package}\` lists, and check the set's questions ` +
        'against it.',
      { cause: error },
    );
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 */
async function command(program, args, cwd) {
  try {
    await run(program, args, {
      cwd,
      env: { ...process.env, LC_ALL: 'C' },
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    });
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') {
      throw new Error(`\`${program}\` is not installed, or not on the PATH.`, { cause: error });
    }
    throw error;
  }
}

/** @param {DocsSet} set @param {string} tree */
function docsFolder(set, tree) {
  const docs = path.join(tree, set.docs);
  if (!existsSync(docs)) {
    throw new Error(`${set.package} ${set.version} has no folder ${set.docs}.`);
  }
  return docs;
}

/** @param {string} from @param {string} to */
async function moveInto(from, to) {
  try {
    await rename(from, to);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(to)) throw error;
  }
}

/** @param {string} folder @param {string} extension */
async function fileIn(folder, extension) {
  const name = (await readdir(folder)).find((each) => each.endsWith(extension));
  if (name === undefined) throw new Error(`No ${extension} file was downloaded to ${folder}.`);
  return path.join(folder, name);
}

/** @param {string} name */
const fileName = (name) => name.replace(/[^\w.+~-]/g, '_');

/** @param {unknown} error */
const messageOf = (error) => (error instanceof Error ? error.message : String(error));
