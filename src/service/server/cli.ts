/**
 * Runs the local docs service as its own process. Prints one JSON line per event (`listening`, `listed`,
 * `progress`, `indexed`, `changed`, `refreshed`, `error`) on stdout, and a log on stderr. With `--check`, prints broken
 * links instead. Uses `node:worker_threads`.
 */
import { Console } from 'node:console';
import { parseArgs } from 'node:util';
import { plainTranslate } from '../../common/errors';
import { environmentLanguage, speak } from '../../common/processLanguage';
import { DocsError } from '../../docs/docsError';
import { checkLines, runLinkCheck, runLocalService, type ServiceEvent } from './runService';
import {
  docsSourceOf,
  type FlagValues,
  parseServiceSettings,
  type ServiceFlag,
  serviceFlags,
} from './serviceOptions';
import { Worker } from 'node:worker_threads';

/** Translates the texts of this process that the panel shows. The help and the log are always English. */
const translate = speak(environmentLanguage(process.env));

const flags: readonly ServiceFlag[] = [
  { name: 'docs', value: '<folder>', description: 'Markdown or MDX to answer from' },
  {
    name: 'bundle',
    value: '<folder>',
    description: 'an exported site to answer from: a folder of HTML',
  },
  { name: 'site', value: '<url>', description: 'a public docs site to answer from' },
  {
    name: 'cache',
    value: '<folder>',
    description: 'folder for the pages of that site (no requests while they are fresh)',
  },
  {
    name: 'installed',
    value: '<folder>',
    description: 'folder whose installed packages to answer from',
  },
  {
    name: 'root',
    value: '<folder>',
    description: 'top of the workspace of that folder (nothing above it is read)',
  },
  {
    name: 'key',
    value: '<local_dsc_…>',
    description: 'assistant key, a new one by default (DOCS_ASSISTANT_KEY is safer)',
  },
  { name: 'exit-with-parent', description: 'end when stdin closes' },
  ...serviceFlags(plainTranslate),
];

function usage(): string {
  const names = flags.map(
    ({ name, value }) => `--${name}${value === undefined ? '' : ` ${value}`}`,
  );
  const width = Math.max(...names.map(({ length }) => length));
  const lines = flags.map(({ description, default: byDefault }, index) => {
    const end = byDefault === undefined ? '' : ` (default: ${byDefault})`;
    return `  ${(names[index] ?? '').padEnd(width)}  ${description}${end}`;
  });
  return `Usage: node localService.js (--docs <folder> | --bundle <folder> | --site <url> --cache <folder> | --installed <folder>) [options]

${lines.join('\n')}

The service reads the endpoint's key from DOCS_ASSISTANT_MODEL_KEY, and the admin key for static export (local_…) from DOCS_ASSISTANT_ADMIN_KEY. It creates an admin key if the variable isn't set.`;
}

/** Milliseconds that the service has to end once it is asked to. */
const EXIT_DEADLINE_MS = 2000;

function report(event: ServiceEvent): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

function fail(message: string): never {
  report({ event: 'error', message });
  process.exit(1);
}

function readArguments(): FlagValues {
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(
        flags.map(({ name, value, default: byDefault }) => [
          name,
          value === undefined
            ? { type: 'boolean' as const, default: false }
            : {
                type: 'string' as const,
                default: byDefault,
              },
        ]),
      ),
      help: { type: 'boolean' as const, short: 'h', default: false },
    },
  });
  // No option allows several values, so no value is an array.
  return values;
}

/** Calls `end` once, when a signal, the parent process or a closed pipe asks the process to end. */
function onEnd(end: () => void, exitWithParent: boolean): void {
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
  process.once('SIGHUP', end);
  process.once('disconnect', end);
  // This error means that the process that reads the events has ended.
  process.stdout.on('error', end);
  process.stderr.on('error', () => undefined);
  if (!exitWithParent) return;
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  process.stdin.once('error', end);
  process.stdin.resume();
}

/** Milliseconds between two looks at the parent process. */
const LOOK_MS = 500;

/**
 * Code of the watching thread, as text because the service is one file. A blocked main thread notices
 * neither signals nor closed pipes, but its threads still run.
 */
const parentWatcher = `
const { workerData: { parent, graceMs, lookMs } } = require('node:worker_threads');
const isGone = () => {
  // Windows keeps the ID of a parent that has ended. Other systems give the process another parent.
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
};
const timer = setInterval(() => {
  if (!isGone()) return;
  clearInterval(timer);
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), graceMs);
}, lookMs);
`;

/**
 * Kills this process if it still runs some time after its parent has ended.
 * @param graceMs milliseconds in which the main thread can end the process by itself.
 */
function endAfterParent(graceMs: number): void {
  const worker = new Worker(parentWatcher, {
    eval: true,
    workerData: { parent: process.ppid, graceMs, lookMs: LOOK_MS },
    // Flags such as --inspect and preloaded modules are for the main thread.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });
  // Without this thread, the service still ends with its parent, unless its main thread is blocked.
  worker.on('error', () => undefined);
  worker.unref();
}

async function main(): Promise<void> {
  // Libraries must not print between the events on stdout.
  globalThis.console = new Console(process.stderr, process.stderr);
  const values = readArguments();
  if (values['help'] === true) {
    process.stderr.write(`${usage()}\n`);
    return;
  }
  const key = typeof values['key'] === 'string' ? { DOCS_ASSISTANT_KEY: values['key'] } : {};
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const settings = parseServiceSettings(values, { ...process.env, ...key }, log, translate);
  const docs = docsSourceOf(values);
  if (settings.isCheck) {
    try {
      const checked = await runLinkCheck(settings, docs);
      for (const line of checkLines(checked)) process.stdout.write(`${line}\n`);
      process.exitCode = checked.exitCode;
    } catch (error) {
      log(error instanceof DocsError ? error.message : `Can't check the docs: ${String(error)}`);
      process.exitCode = 2;
    }
    return;
  }
  const exitWithParent = values['exit-with-parent'] === true;
  if (exitWithParent || process.connected) endAfterParent(EXIT_DEADLINE_MS);
  const ending = new AbortController();
  onEnd(() => {
    setTimeout(() => process.exit(0), EXIT_DEADLINE_MS).unref();
    ending.abort();
  }, exitWithParent);
  await runLocalService(settings, docs, report, ending.signal);
  process.exit(0);
}

main().catch((error: unknown) => {
  const isArgument = error instanceof TypeError && 'code' in error;
  fail(
    error instanceof DocsError || isArgument
      ? error.message
      : `Can't start the local docs service: ${String(error)}`,
  );
});
