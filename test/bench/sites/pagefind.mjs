// @ts-check
/**
 * `node test/bench/sites/pagefind.mjs`: installs Pagefind once per user, and prints the path of its program. A process of
 * its own, because benches are bundled.
 */
import path from 'node:path';
import { stopAllOnExit } from '../../tooling/processes.mjs';
import { cacheFolder } from '../../tooling/setup.mjs';
import { fetchWorkspace } from '../installed/fetchPackages.mjs';

stopAllOnExit();
const folder = await fetchWorkspace(
  { name: 'pagefind', packages: { pagefind: '1.6.0' } },
  path.join(cacheFolder(), 'eval-sites'),
  { hasBinaries: true },
);
console.log(path.join(folder, 'node_modules', 'pagefind', 'lib', 'runner', 'bin.cjs'));
