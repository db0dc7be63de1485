// @ts-check
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/**
 * Mocha's `spec`, which also writes the counts and the failures to the file named by the reporter
 * option `output`.
 */
export default class LayerReporter extends Mocha.reporters.Spec {
  /** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    /** @type {{ output?: string }} */
    const { output } = options.reporterOptions ?? {};
    /** @type {Record<string, number>} */
    const skippedIn = {};
    runner.on('pending', (test) => {
      const [suite = ''] = test.titlePath();
      skippedIn[suite] = (skippedIn[suite] ?? 0) + 1;
    });
    runner.once('end', () => {
      const { passes, failures: failed, pending } = this.stats;
      const failures = this.failures.map((test) => `${test.fullTitle()}\n${stackOf(test.err)}`);
      const result = { passed: passes, failed, skipped: pending, skippedIn, failures };
      if (output !== undefined) writeFileSync(output, JSON.stringify(result));
    });
  }
}

/** @param {Error | undefined} error @returns {string} its stack, which begins with its message */
function stackOf(error) {
  return error?.stack ?? error?.message ?? 'no reason was given';
}
