// @ts-check
import { startSuiteServer } from './suiteServer.mjs';

/** @typedef {import('./pageProtocol').SuiteEvent} SuiteEvent */
/** @typedef {import('./pageProtocol').PageCommand} PageCommand */

/** @param {number} depth */
const indent = (depth) => '  '.repeat(depth);

/**
 * The driver's side of one host's run: hands out the phases, prints what the suite tells, and counts.
 */
export class SuiteRunner {
  /** @type {(command: PageCommand) => Promise<unknown>} */
  #perform = () => Promise.reject(new Error('this host has no page'));
  #started = -1;
  #ended = -1;
  #phases;
  #options;
  /** @type {{ url: string, stop: () => Promise<void> } | undefined} */
  #server;

  counts = { passed: 0, failed: 0, skipped: 0 };
  /** @type {string[]} */
  failures = [];
  /** Called with a failed test's full name while the window still shows it. @type {(title: string) => Promise<void>} */
  onFailure = () => Promise.resolve();

  /**
   * @param {readonly (readonly string[])[]} phases test files of each load of the window
   * @param {object} options
   * @param {number} options.testLimitMs
   * @param {number} options.phaseLimitMs
   * @param {string} [options.grep]
   * @param {(line: string) => void} options.print
   */
  constructor(phases, options) {
    this.#phases = phases;
    this.#options = options;
  }

  async start() {
    this.#server = await startSuiteServer({
      onRun: () => {
        this.#started = this.#ended + 1;
        const { testLimitMs, grep } = this.#options;
        const files = this.#phases[this.#started] ?? [];
        return {
          phase: this.#started,
          files,
          testLimitMs,
          grep,
        };
      },
      onEvent: (event) => this.#onEvent(event),
      onPage: (command) => this.#perform(command),
    });
    return this.#server.url;
  }

  async stop() {
    await this.#server?.stop();
  }

  get phaseCount() {
    return this.#phases.length;
  }

  get phaseLimitMs() {
    return this.#options.phaseLimitMs;
  }

  /** @param {number} phase */
  hasStarted(phase) {
    return this.#started >= phase;
  }

  /** @param {number} phase */
  hasEnded(phase) {
    return this.#ended >= phase;
  }

  /** @param {(command: PageCommand) => Promise<unknown>} perform */
  servePage(perform) {
    this.#perform = perform;
  }

  /** @param {string} line */
  print(line) {
    this.#options.print(line);
  }

  /** Counts something that went wrong outside a test as one failure. @param {string} reason */
  fail(reason) {
    this.counts.failed += 1;
    this.failures.push(reason);
    this.print(`  FAILED ${reason}`);
  }

  /** @param {SuiteEvent} event @returns {Promise<import('./pageProtocol').SuiteEventReply>} */
  async #onEvent(event) {
    switch (event.kind) {
      case 'suite':
        this.print(`${indent(event.depth)}${event.title}`);
        break;
      case 'passed':
        this.counts.passed += 1;
        this.print(`${indent(event.depth)}✔ ${event.title} (${event.durationMs ?? 0} ms)`);
        break;
      case 'skipped':
        this.counts.skipped += 1;
        this.print(`${indent(event.depth)}- ${event.title}`);
        break;
      case 'failed':
        this.counts.failed += 1;
        this.failures.push(`${event.fullTitle}\n${event.stack}`);
        this.print(`${indent(event.depth)}${this.failures.length}) ${event.title}`);
        await this.onFailure(event.fullTitle).catch((error) => this.print(String(error)));
        break;
      case 'broken':
        this.fail(`the suite did not load: ${event.stack}`);
        this.#ended = this.#phases.length - 1;
        break;
      case 'end':
        this.#ended = this.#started;
        break;
    }
    return { reloads: this.#ended < this.#phases.length - 1 };
  }
}
