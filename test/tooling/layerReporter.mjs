// @ts-check
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** Mocha's `spec`, which also writes the counts to the file named by the reporter option `output`. */
export default class LayerReporter extends Mocha.reporters.Spec {
  /** @param {Mocha.Runner} runner @param {Mocha.MochaOptions} options */
  constructor(runner, options) {
    super(runner, options);
    /** @type {{ output?: string }} */
    const { output } = options.reporterOptions ?? {};
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      if (output !== undefined) writeFileSync(output, JSON.stringify(counts));
    });
  }
}
