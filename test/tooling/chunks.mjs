// @ts-check
/** Decides what goes into one chunk of a split build, and makes the chunks that ship smaller than esbuild writes them. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';

/** Matches the imports that load together with the module. */
const STATIC = /^(?:import-statement|require-call)$/;

/**
 * Puts all that the first entry loads at its start into one chunk, and what other entries use of it into a second one.
 * esbuild makes a chunk for each set of modules that the same entries share, so a start would read a dozen files, each in
 * turns of its own. Here every module that loads later imports the start, which has always run before, so all share it.
 * A module of other entries that uses a part of the start imports what they use of it.
 *
 * @param {Omit<import('esbuild').BuildOptions, 'entryPoints'> & { entryPoints: Record<string, string> }} options whose first entry is the one
 *   that starts
 * @param {readonly string[]} [lean] entries that load only what they use, even if that makes more chunks
 * @returns {Promise<import('esbuild').BuildOptions>}
 */
export async function withStartInOneChunk(options, lean = []) {
  const { metafile } = await esbuild.build({ ...options, write: false, metafile: true });
  const [first = '', ...others] = Object.values(options.entryPoints);
  const later = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, external }) => kind === 'dynamic-import' && external !== true)
    .map((imported) => imported.path);

  const ofOthers = reached(metafile, others, /./);
  for (const file of ofOthers) {
    const hasImport = metafile.inputs[file]?.imports.some(({ path: name }) => name === 'vscode');
    if (hasImport) throw new Error(`${file} loads vscode, which only ${first} may do`);
  }
  const shared = [...reached(metafile, [first], STATIC)].filter((file) => ofOthers.has(file));
  /** @type {Map<string, readonly string[]>} the modules that a module also imports */
  const added = new Map();
  for (const file of new Set([...later, ...others])) {
    if (lean.includes(file)) continue;
    const own = reached(metafile, [file], STATIC);
    if (!ofOthers.has(file)) added.set(file, [first]);
    else if (shared.some((name) => own.has(name))) added.set(file, shared);
  }

  /** @type {import('esbuild').Plugin} */
  const plugin = {
    name: 'start-in-one-chunk',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\](?:src|webview)[/\\].*\.ts$/ }, async ({ path: file }) => {
        const names = added.get(path.relative('.', file).replaceAll(path.sep, '/'));
        if (names === undefined) return undefined;
        const source = await readFile(file, 'utf8');
        // A library says that it has no side effects, and esbuild leaves such imports out.
        const own = names.filter((name) => !name.includes('node_modules'));
        const imports = own.map((name) => `import ${JSON.stringify(path.resolve(name))};`);
        // At the end, so that the lines of the source stay what they are.
        return { contents: `${source}\n${imports.join('')}`, loader: 'ts' };
      });
    },
  };
  return { ...options, plugins: [...(options.plugins ?? []), plugin] };
}

/**
 * @param {import('esbuild').Metafile} metafile
 * @param {readonly string[]} from modules
 * @param {RegExp} kinds of imports to follow
 * @returns {Set<string>} these modules and those that their imports lead to
 */
function reached({ inputs }, from, kinds) {
  const found = new Set(from);
  for (const file of found) {
    for (const { path: imported, kind, external } of inputs[file]?.imports ?? []) {
      if (external !== true && kinds.test(kind)) found.add(imported);
    }
  }
  return found;
}

/** Matches the name of a chunk, which esbuild ends with a hash. */
const hashedName = /^(?<name>.+)-[A-Z0-9]{8}\.js$/;
/** Matches an import that only lets a chunk run, and one that takes something from it. */
const bareImport = /import"\.[\w./-]*\/(?<file>[\w.-]+)";/g;
const namedImport = /\bfrom"\.[\w./-]*\/(?<file>[\w.-]+)"/g;

/**
 * Takes out of a minified build what its chunks don't need: the hashes of their names, the banner where nothing calls
 * `require`, and imports that only let a chunk run which runs anyway. All of it is 35 KB of the `.vsix`.
 *
 * @param {{ outputFiles: readonly Pick<import('esbuild').OutputFile, 'path' | 'text' | 'contents'>[], metafile:
 *   Pick<import('esbuild').Metafile, 'outputs'> }} result of a build with the option `write: false`. Its metafile then
 *   speaks of the files that this function returns.
 * @param {string} [banner] of every file
 * @returns {{ path: string, contents: Uint8Array | string }[]}
 */
export function withSmallChunks({ outputFiles, metafile }, banner) {
  const scripts = outputFiles.filter((file) => file.path.endsWith('.js'));
  const names = shortNames(scripts.map((file) => path.basename(file.path)));
  /** @param {string} file */
  const renamed = (file) =>
    path.join(path.dirname(file), names.get(path.basename(file)) ?? path.basename(file));
  const keyOf = (/** @type {string} */ file) => path.relative('.', file).replaceAll(path.sep, '/');

  /** @type {Map<string, readonly string[]>} the chunks from which a script takes something */
  const uses = new Map(
    scripts.map(({ path: file, text }) => [
      path.basename(file),
      [...text.matchAll(namedImport)].map(({ groups }) => groups?.['file'] ?? ''),
    ]),
  );
  /** Chunks of functions that esbuild adds, which do nothing by themselves. */
  const helpers = new Set(
    scripts
      .map((file) => file.path)
      .filter((file) => Object.keys(metafile.outputs[keyOf(file)]?.inputs ?? { file }).length === 0)
      .map((file) => path.basename(file)),
  );

  return outputFiles.map((output) => {
    if (!output.path.endsWith('.js')) return { path: output.path, contents: output.contents };
    let { text } = output;
    if (banner !== undefined && !/\brequire\b/.test(text.replace(banner, ''))) {
      text = text.replace(`${banner}\n`, '');
    }
    const running = new Set(uses.get(path.basename(output.path)));
    for (const file of running) for (const used of uses.get(file) ?? []) running.add(used);
    text = text
      .replace(bareImport, (found, /** @type {string} */ file) =>
        running.has(file) || helpers.has(file) ? '' : found,
      )
      .replace(/[\w-]+-[A-Z0-9]{8}\.js/g, (name) => names.get(name) ?? name);

    const key = keyOf(output.path);
    const described = metafile.outputs[key];
    if (described) {
      delete metafile.outputs[key];
      const imports = described.imports.map((imported) => ({
        ...imported,
        path: imported.external === true ? imported.path : renamed(imported.path),
      }));
      metafile.outputs[renamed(key)] = {
        ...described,
        bytes: Buffer.byteLength(text),
        imports: imports.filter(
          ({ path: name, external }) =>
            external === true || text.includes(`/${path.basename(name)}"`),
        ),
      };
    }
    return { path: renamed(output.path), contents: text };
  });
}

/**
 * @param {readonly string[]} files names of built files
 * @returns {Map<string, string>} the new name of each chunk. The same chunks get the same names.
 */
function shortNames(files) {
  const taken = new Set(files);
  /** @type {Map<string, string>} */
  const names = new Map();
  let count = 0;
  for (const file of [...files].sort()) {
    const name = hashedName.exec(file)?.groups?.['name'];
    if (name === undefined) continue;
    let short = name === 'chunk' ? '' : `${name}.js`;
    while (short === '' || taken.has(short)) short = `${(count++).toString(36)}.js`;
    names.set(file, short);
    taken.add(short);
  }
  return names;
}
