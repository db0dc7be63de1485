import { SUITE_ENVIRONMENT } from './pageProtocol';
import type { SuiteEnvironment } from './pageProtocol';

/** What the driver tells this extension host. */
export function suiteEnvironment(): SuiteEnvironment {
  const text = process.env[SUITE_ENVIRONMENT];
  if (text === undefined) throw new Error('Run the suite by npm run test:workbench.');
  // Written by runWorkbench.mjs, its only writer.
  return JSON.parse(text) as SuiteEnvironment;
}
