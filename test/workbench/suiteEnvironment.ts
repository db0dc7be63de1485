import { SUITE_ENVIRONMENT } from './pageProtocol';
import type { SuiteEnvironment } from './pageProtocol';

/** Returns what the driver tells this extension host. */
export function suiteEnvironment(): SuiteEnvironment {
  const text = process.env[SUITE_ENVIRONMENT];
  if (text === undefined) throw new Error('Run the suite by npm run test:workbench.');
  // Written by runWorkbench.mjs, its only writer.
  return JSON.parse(text) as SuiteEnvironment;
}

/**
 * Returns the folder of everything that the host writes: its logs, settings and the extension's
 * storage.
 */
export function hostDataFolder(): string {
  const folder = process.env['DOCS_ASSISTANT_HOST_DATA'];
  if (folder === undefined) throw new Error('This host does not say where it writes.');
  return folder;
}
