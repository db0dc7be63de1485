// @ts-check
/**
 * Module hooks that let the built extension run in plain Node: `vscode` becomes a module whose
 * every member takes any call and does nothing, and each file that is loaded is told to the port.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** @type {import('node:worker_threads').MessagePort | undefined} */
let loadedFiles;

/** @param {{ port: import('node:worker_threads').MessagePort }} given */
export function initialize({ port }) {
  loadedFiles = port;
}

const url = 'stub:vscode';

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  if (specifier === 'vscode') return { url, format: 'module', shortCircuit: true };
  return nextResolve(specifier, context);
}

/** @type {import('node:module').LoadHook} */
export async function load(address, context, nextLoad) {
  if (address === url) return { format: 'module', source: stubSource(), shortCircuit: true };
  loadedFiles?.postMessage(address);
  return nextLoad(address, context);
}

/** Returns a module with every value that the types of VS Code's API export at their top level. */
function stubSource() {
  const typesFolder = path.dirname(
    createRequire(import.meta.url).resolve('@types/vscode/package.json'),
  );
  const types = readFileSync(path.join(typesFolder, 'index.d.ts'), 'utf8');
  const declarations = /^\texport (?:abstract )?(?:class|enum|namespace|function|const) (\w+)/gm;
  const names = new Set([...types.matchAll(declarations)].map((match) => match[1]));
  const members = [...names].map((name) => `export const ${name} = anything();`);
  const source = [`const defaults = ${JSON.stringify(settingDefaults())};`, anything.toString()];
  return [...source, ...members].join('\n');
}

/** @returns {Record<string, unknown>} what settings are that nobody has changed */
function settingDefaults() {
  const { contributes } = JSON.parse(readFileSync('package.json', 'utf8'));
  const groups = [contributes.configuration].flat();
  const settings = groups.flatMap((/** @type {any} */ group) => Object.entries(group.properties));
  return Object.fromEntries(settings.map(([name, setting]) => [name, setting.default]));
}

/** @type {Record<string, unknown>} as the stub's own source defines it */
const defaults = {};

/** @returns {any} something that can be called, constructed, read from and disposed of at will */
function anything() {
  return new Proxy(function () {}, {
    get(target, name) {
      // Not a promise, and an empty list: `await` and `for … of` end at once.
      if (name === 'then') return undefined;
      if (name === 'prototype') return target.prototype;
      // A window on this machine, without settings of its own.
      if (name === 'remoteName') return undefined;
      if (name === 'inspect') return () => undefined;
      if (name === Symbol.iterator) return [][Symbol.iterator];
      if (name === Symbol.toPrimitive) return () => '';
      return name === 'get'
        ? (/** @type {string} */ key, /** @type {any} */ otherwise) => otherwise ?? defaults[key]
        : anything();
    },
    apply: () => anything(),
    construct: () => anything(),
  });
}
