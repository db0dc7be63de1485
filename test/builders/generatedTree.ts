import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { seededRandom } from './seededRandom';

/** Content by path, with `/` on every system; the path of an empty folder ends with a slash. */
export type Tree = Readonly<Record<string, string>>;

export interface TreeShape {
  /** Longest path, in bytes. */
  readonly longest: number;
  /** True if an archive can hold a path; those of folders end with a slash. */
  readonly holds: (path: string) => boolean;
  readonly letters: readonly string[];
}

export const asciiLetters = ['a', 'b', '-', '7', '_'];
export const allLetters = [...asciiLetters, 'é', '字', '😀'];

/** Returns a tree with long paths, many with a slash at the place where tar cuts a short name. */
export function generatedTree(seed: number, shape: TreeShape): Tree {
  const random = seededRandom(seed);
  const tree: Record<string, string> = { 'index.html': `page ${seed}` };
  const wanted = 4 + random(5);
  for (let attempt = 0; attempt < 60 && Object.keys(tree).length < wanted; attempt++) {
    const shortest = Math.min(90, shape.longest / 2);
    const bytes = shortest + random(shape.longest - shortest + 1);
    const name = generatedPath(bytes, `${attempt}`, random, shape.letters);
    const isFolder = random(6) === 0;
    if (withParents(isFolder ? `${name}/` : name).every(shape.holds)) {
      tree[isFolder ? `${name}/` : name] = isFolder ? '' : 'x'.repeat(random(3) * 500 + random(9));
    }
  }
  return tree;
}

/** Returns a path of that many bytes, whose first part is like no other's. */
function generatedPath(
  bytes: number,
  start: string,
  random: (limit: number) => number,
  letters: readonly string[],
): string {
  const slashes = [20 + random(60), 97 + random(5), 120 + random(90)];
  let name = `p${start}`;
  for (let length = name.length; length < bytes; length = Buffer.byteLength(name)) {
    const letter = letters[random(letters.length)] ?? 'a';
    const end = slashes.find((place) => place >= length) ?? bytes;
    if (end === length && length < bytes - 1) name += '/';
    else name += length + Buffer.byteLength(letter) <= Math.max(end, length + 1) ? letter : 'x';
  }
  return name;
}

function withParents(name: string): string[] {
  const parts = name.split('/');
  const parents = parts.slice(0, -1).map((_, index) => `${parts.slice(0, index + 1).join('/')}/`);
  return [...new Set([...parents, name])];
}

export async function writeTree(folder: string, tree: Tree): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(tree)) {
    const file = path.join(folder, ...name.split('/'));
    await mkdir(name.endsWith('/') ? file : path.dirname(file), { recursive: true });
    if (!name.endsWith('/')) await writeFile(file, content);
  }
}

export async function readTree(folder: string, before = ''): Promise<Tree> {
  const found: Record<string, string> = {};
  const entries = await readdir(folder, { withFileTypes: true });
  if (entries.length === 0 && before !== '') found[before] = '';
  for (const entry of entries) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) Object.assign(found, await readTree(file, `${before}${entry.name}/`));
    else found[before + entry.name] = await readFile(file, 'utf8');
  }
  return found;
}
