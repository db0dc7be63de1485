// @ts-check
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's top folder. */
export const repoRoot = path.resolve(fileURLToPath(import.meta.url), '../../..');

/** Folder in which each layer writes its `LayerResult` as `<layer>.json`. */
export const resultsFolder = path.join(repoRoot, 'out', 'results');

/** Logs and screenshots of a workbench run that failed. */
export const workbenchArtifacts = path.join(repoRoot, 'out', 'workbench');

/** @returns {string} path of the package */
export function vsixFile() {
  const { name, version } = JSON.parse(readFileSync(path.join(repoRoot, 'package.json'), 'utf8'));
  return path.join(repoRoot, `${name}-${version}.vsix`);
}
