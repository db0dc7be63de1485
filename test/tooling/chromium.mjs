// @ts-check
import { ensureChromium } from './setup.mjs';

/** Flags that turn off Chromium's own requests, the GPU, and the sandbox, which root can't use. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

/**
 * Starts a browser to drive.
 *
 * @param {{ headless?: boolean, program?: string }} [options] `program` is Chromium by default
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function launchChromium({ headless = true, program } = {}) {
  const executablePath = program ?? (await ensureChromium());
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath, headless, args: chromiumArgs });
}
