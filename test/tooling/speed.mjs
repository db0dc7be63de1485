// @ts-check
import { createHash } from 'node:crypto';
import { performance } from 'node:perf_hooks';

/** Time of `oneRound` on a current laptop, in milliseconds. */
const REFERENCE_MS = 18;
const SLOWEST_FACTOR = 8;

/** @returns {number} milliseconds for a fixed amount of work, part in JavaScript and part in native code */
function oneRound() {
  const startedAt = performance.now();
  let mix = 1;
  for (let i = 0; i < 4_000_000; i++) mix = (Math.imul(mix, 1_664_525) + 1_013_904_223) | 0;
  const block = Buffer.alloc(1 << 20, mix & 0xff);
  const hash = createHash('sha256');
  for (let i = 0; i < 8; i++) hash.update(block);
  hash.digest();
  return performance.now() - startedAt;
}

/** @type {number | undefined} */
let measured;

/**
 * Returns how many times slower this machine is than a current laptop, from 1 to 8. It measures once.
 *
 * The result is the median of five rounds, because another process may use the core during one.
 */
export function machineSlowness() {
  if (measured === undefined) {
    const rounds = Array.from({ length: 5 }, oneRound).sort((a, b) => a - b);
    measured = Math.min(SLOWEST_FACTOR, Math.max(1, (rounds[2] ?? REFERENCE_MS) / REFERENCE_MS));
  }
  return measured;
}

/**
 * Returns a time limit for this machine. Limits only end tests that hang. No test asserts a time.
 *
 * @param {number} laptopMs the limit on a current laptop, already generous
 */
export function scaledMs(laptopMs) {
  return Math.round(laptopMs * machineSlowness());
}

/** @param {number} ms @returns {Promise<void>} */
export function delay(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Asks `probe` again and again until it gives something other than `undefined` and `false`.
 *
 * @template T
 * @param {string} what completes "waited 30 s for …"
 * @param {() => Promise<T | undefined | false> | T | undefined | false} probe a rejection ends the wait
 * @param {{ limitMs: number, everyMs?: number }} timing
 * @returns {Promise<T>}
 */
export async function waitFor(what, probe, { limitMs, everyMs = 100 }) {
  const endsAt = performance.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > endsAt) {
      throw new Error(`waited ${Math.round(limitMs / 1000)} s for ${what}`);
    }
    await delay(everyMs);
  }
}
