// @ts-check
import path from 'node:path';
import { startListening } from './listening.mjs';

/**
 * A running docs service. The variable `DOCS_ASSISTANT_LOCAL_SERVICE` passes it to the extension.
 *
 * @typedef {object} LocalSite
 * @property {string} url base address
 * @property {string} domain
 * @property {string} key assistant key, new at each start
 * @property {string} adminKey admin key, new at each start
 * @property {string} label
 */

/**
 * Starts the local docs service over the sample docs.
 *
 * @param {string} dist the folder of a build
 * @param {{ port?: number, logFile?: string, paceMs?: number, exportPaceMs?: number }} [options] port 0 (the
 *   default) picks a free one; the paces are the time between two pieces of a reply and the time that each
 *   exported page takes at least
 * @returns {Promise<{ site: LocalSite, stop: () => Promise<void> }>}
 */
export async function startLocalService(
  dist,
  { port = 0, logFile, paceMs, exportPaceMs = 0 } = {},
) {
  const docs = path.join(dist, 'sampleDocs');
  const program = path.join(dist, 'localService.js');
  const args = [program, '--docs', docs, '--port', String(port), '--exit-with-parent'];
  args.push('--export-pace', String(exportPaceMs));
  if (paceMs !== undefined) args.push('--pace', String(paceMs));
  const { line, stop } = await startListening('the local docs service', args, { logFile });
  const { url, domain, key, adminKey } = line;
  return { site: { url, domain, key, adminKey, label: 'Sample docs' }, stop };
}
