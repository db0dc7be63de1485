/** The npm of a runner, which installs a package for real once and then copies what came of that. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onPath } from '../../tooling/processes.mjs';

/**
 * Writes `npm` into a folder of programs. It takes half a second of a core to install a package, and
 * each job of each run installs the same one.
 *
 * @param installed folder that keeps what was installed, by the arguments. Those who share it must mean the
 * same package by them.
 */
export async function writeNpmOnce(bin: string, installed: string): Promise<void> {
  await mkdir(bin, { recursive: true });
  const program = path.join(bin, 'npm');
  await writeFile(
    program,
    `#!/usr/bin/env bash
set -eu
kept='${installed}'/$(printf '%s\\n' "$@" | cksum | tr ' ' -)
mkdir -p "$npm_config_prefix"
if [ ! -d "$kept" ]; then
  '${onPath('npm') ?? 'npm'}' "$@"
  mkdir -p '${installed}'
  cp -R "$npm_config_prefix" "$kept.part"
  mv "$kept.part" "$kept"
else
  cp -R "$kept/." "$npm_config_prefix/"
  echo 'added 1 package'
fi
`,
  );
  await chmod(program, 0o755);
}
