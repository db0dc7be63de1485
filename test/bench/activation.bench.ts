/**
 * Measures what `activate()` costs on the production build when nothing is used: time, files,
 * bytes, and whether anything loads that only a question needs. Needs `dist` and
 * `out/meta/programs.json`.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { against, bounded, median, report } from './benchRow';

const ROUNDS = 9;
const START_UP_BUDGET_BYTES = 60 * 1024;

const runSchema = v.object({
  ms: v.number(),
  connections: v.number(),
  files: v.array(v.string()),
});

const metafileSchema = v.object({
  outputs: v.record(
    v.string(),
    v.object({
      bytes: v.number(),
      inputs: v.record(v.string(), v.object({ bytesInOutput: v.number() })),
    }),
  ),
});

/** Packages that only a question, the webview or the local service needs. */
const lazyPackages = ['ai', '@ai-sdk/*', 'zod', 'markdown-it', 'dompurify', 'hono'];

function activate(mode: 'lazy' | 'everything'): v.InferOutput<typeof runSchema> {
  const output = execFileSync(process.execPath, ['test/bench/activateOnce.mjs', mode], {
    encoding: 'utf8',
  });
  return v.parse(runSchema, JSON.parse(output.trim().split('\n').at(-1) ?? ''));
}

function main(): void {
  const times: Record<'lazy' | 'everything', number[]> = { lazy: [], everything: [] };
  let first = activate('lazy');
  for (let round = 0; round < ROUNDS; round++) {
    const run = activate('lazy');
    times.lazy.push(run.ms);
    times.everything.push(activate('everything').ms);
    first = { ...run, connections: Math.max(run.connections, first.connections) };
  }

  const { outputs } = v.parse(
    metafileSchema,
    JSON.parse(readFileSync('out/meta/programs.json', 'utf8')),
  );
  const outputOf = (file: string): (typeof outputs)[string] => {
    const output = outputs[`dist/${file}`];
    if (!output) throw new Error(`${file} is not in the metafile: build once more`);
    return output;
  };
  const loaded = first.files.map(outputOf);
  const all = Object.values(outputs);
  const modulesIn = (some: typeof all): string[] =>
    some.flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([file, { bytesInOutput }]) =>
        bytesInOutput > 0 ? [file] : [],
      ),
    );
  const modules = modulesIn(loaded);
  const bytes = loaded.reduce((sum, output) => sum + output.bytes, 0);
  const eager = modules.filter((file) => lazyPackages.some((name) => isIn(file, name)));

  report([
    against({
      name: 'Activation: import and activate()',
      unit: 'ms',
      ours: median(times.lazy),
      peer: median(times.everything),
      peerName: 'the same with every file imported',
      goal: 1,
    }),
    against({
      name: 'Activation: modules loaded',
      unit: 'modules',
      ours: modules.length,
      peer: modulesIn(all).length,
      peerName: 'all of the host',
      goal: 1,
      note: `${loaded.length} of ${all.length} files`,
    }),
    bounded({
      name: 'Activation: start-up bundle',
      unit: 'bytes',
      ours: bytes,
      goal: START_UP_BUDGET_BYTES,
    }),
    bounded({
      name: 'Activation: modules of ai, Markdown and local service',
      unit: 'modules',
      ours: eager.length,
      goal: 0,
      note: eager.length > 0 ? eager.slice(0, 5).join(', ') : undefined,
    }),
    bounded({
      name: 'Activation: network connections',
      unit: 'connections',
      ours: first.connections,
      goal: 0,
    }),
  ]);
}

function isIn(file: string, name: string): boolean {
  return file.includes(`node_modules/${name.replace('*', '')}${name.endsWith('*') ? '' : '/'}`);
}

main();
