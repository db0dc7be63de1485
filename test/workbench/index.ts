/** Entry of the suite inside the extension host: runs what the driver asks for and tells it how it goes. */
import type { MochaOptions, Runner, Suite } from 'mocha';
import type { SuiteCounts, SuiteEvent, SuiteEventReply, SuiteRun } from './pageProtocol';
import { suiteEnvironment } from './suiteEnvironment';

/** The driver reloads the window long before this; a host that is forgotten still ends. */
const RELOAD_LIMIT_MS = 300_000;

/** Tells the driver events in order. */
class Teller {
  readonly #url: string;
  #last: Promise<SuiteEventReply> = Promise.resolve({ reloads: false });

  constructor(driverUrl: string) {
    this.#url = `${driverUrl}/run/event`;
  }

  tell(event: SuiteEvent): Promise<SuiteEventReply> {
    this.#last = this.#last.then(async () => {
      const response = await fetch(this.#url, { method: 'POST', body: JSON.stringify(event) });
      // Written by suiteServer.mjs, its only writer.
      return (await response.json()) as SuiteEventReply;
    });
    return this.#last;
  }

  /** Resolves when the driver has dealt with all that it was told. */
  async idle(): Promise<void> {
    await this.#last;
  }
}

function depthOf(item: { parent?: Suite | undefined }): number {
  return item.parent === undefined ? 0 : 1 + depthOf(item.parent);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Runs the tests. VS Code calls it once the window is up. */
export async function run(): Promise<void> {
  // Stacks then name the lines of the sources.
  process.setSourceMapsEnabled(true);
  const { driverUrl } = suiteEnvironment();
  const teller = new Teller(driverUrl);
  const response = await fetch(`${driverUrl}/run`);
  // Written by suiteServer.mjs, its only writer.
  const { files, testLimitMs, grep } = (await response.json()) as SuiteRun;
  try {
    const counts = await runMocha(files, { timeout: testLimitMs, ...(grep && { grep }) }, teller);
    const { reloads } = await teller.tell({ kind: 'end', ...counts });
    // To end now would end this host in good order, which is not what a reload does.
    if (reloads) await new Promise((resolve) => setTimeout(resolve, RELOAD_LIMIT_MS));
  } catch (error) {
    await teller.tell({ kind: 'broken', stack: stackOf(error) });
  }
}

async function runMocha(
  files: readonly string[],
  options: MochaOptions,
  teller: Teller,
): Promise<SuiteCounts> {
  // An ES module, which a CommonJS bundle cannot require in every Node that VS Code comes with.
  const { default: Mocha } = await import('mocha');
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const mocha = new Mocha({
    ui: 'bdd',
    forbidOnly: true,
    ...options,
    reporter: class extends Mocha.reporters.Base {
      constructor(runner: Runner, reporterOptions: MochaOptions) {
        super(runner, reporterOptions);
        runner.on('suite', (suite) => {
          if (!suite.root) tell({ kind: 'suite', title: suite.title, depth: depthOf(suite) });
        });
        runner.on('pass', (test) => {
          counts.passed += 1;
          const durationMs = test.duration ?? 0;
          tell({ kind: 'passed', title: test.title, depth: depthOf(test), durationMs });
        });
        runner.on('pending', (test) => {
          counts.skipped += 1;
          tell({ kind: 'skipped', title: test.title, depth: depthOf(test) });
        });
        runner.on('fail', (test, error: unknown) => {
          counts.failed += 1;
          const fullTitle = test.fullTitle();
          const stack = stackOf(error);
          tell({ kind: 'failed', title: test.title, fullTitle, depth: depthOf(test), stack });
        });
      }
    },
  });
  function tell(event: SuiteEvent): void {
    // A driver that has gone has no use for the rest; the run itself ends on `end`.
    teller.tell(event).catch(() => undefined);
  }
  // The driver looks at the window of a failed test before the next test changes it.
  mocha.suite.afterEach('wait for the driver', () => teller.idle());
  for (const file of files) mocha.addFile(file);
  await new Promise<void>((resolve) => {
    mocha.run(() => resolve());
  });
  return counts;
}
