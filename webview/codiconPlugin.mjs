// @ts-check
/**
 * An esbuild plugin: of the 650 icons of VS Code's font and their rules, the panel gets those whose names are texts in
 * its own code. The whole font would be a thirtieth of the package.
 */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import subsetFont from 'subset-font';

const rule = /^\.codicon-([\w-]+):before\s*\{\s*content:\s*"\\([0-9a-f]+)"\s*\}\n/gm;

/**
 * Returns the icons that the panel's scripts and styles name, and those that its styles show by their character.
 *
 * @param {string} styles all rules of the font
 * @param {readonly string[]} sources of the panel
 * @returns {{ readonly names: ReadonlySet<string>; readonly characters: string }}
 */
export function usedIcons(styles, sources) {
  const words = new Set();
  const codes = new Set();
  for (const source of sources) {
    for (const [, word] of source.matchAll(/(?:['"`]|codicon-)([a-z][a-z0-9-]*)/g)) words.add(word);
    for (const [, code] of source.matchAll(/content: '\\([0-9a-f]+)'/g)) codes.add(code);
  }
  const names = new Set();
  for (const [, name, code] of styles.matchAll(rule)) {
    if (!words.has(name)) continue;
    names.add(name);
    codes.add(code);
  }
  const characters = [...codes]
    .map((code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .join('');
  return { names, characters };
}

/** @param {string} folder @returns {Promise<readonly string[]>} the texts of its scripts and styles */
async function sourcesIn(folder) {
  const files = await readdir(folder, { recursive: true });
  return Promise.all(
    files
      .filter((file) => /\.(?:ts|css)$/.test(file))
      .map((file) => readFile(path.join(folder, file), 'utf8')),
  );
}

/** @param {string} folder with the panel's sources @returns {import('esbuild').Plugin} */
export function codiconPlugin(folder) {
  return {
    name: 'codicons',
    setup({ onLoad }) {
      onLoad({ filter: /[/\\]codicon\.css$/ }, async ({ path: file }) => {
        const styles = await readFile(file, 'utf8');
        const { names } = usedIcons(styles, await sourcesIn(folder));
        const contents = styles.replace(rule, (whole, name) => (names.has(name) ? whole : ''));
        return { contents, loader: 'css' };
      });
      onLoad({ filter: /[/\\]codicon\.ttf$/ }, async ({ path: file }) => {
        const styles = await readFile(path.join(path.dirname(file), 'codicon.css'), 'utf8');
        const { characters } = usedIcons(styles, await sourcesIn(folder));
        const contents = await subsetFont(await readFile(file), characters, {
          targetFormat: 'truetype',
        });
        return { contents, loader: 'file' };
      });
    },
  };
}
