/** Enhanced sites, and their pages in a browser: what the tests of the box share. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { systemClock } from '../../src/common/clock';
import type { BoxService } from '../../src/enhance/boxService';
import { enhanceSite } from '../../src/enhance/enhanceSite';
import { startLocalService } from '../../src/service/server/server';
import { hostedSite, type HostedSite } from '../builders/hostedSite';
import { type FaultProxy, startFaultProxy } from '../fakes/faultProxy';
import { RecordingLog } from '../fakes/recordingLog';
import { takeScreenshot, wantsScreenshots } from './harness';

/** Adds search and answers to the site in a folder, with the built scripts. */
export async function enhance(root: string, service?: BoxService): Promise<void> {
  await enhanceSite({
    root,
    scripts: path.resolve('dist/site'),
    service,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    clock: systemClock,
    log: new RecordingLog(),
  });
}

/** A question that the docs service of an asking site answers. */
export const question = 'How long is an idempotency key remembered?';

/** The site of the sample docs, whose box asks a docs service behind a proxy. */
export interface AskingSite {
  readonly hosted: HostedSite;
  readonly proxy: FaultProxy;
  /** Assistant key that the box sends. */
  readonly key: string;
  /** Returns the questions that the service got so far. */
  questions(): FaultProxy['exchanges'];
  stop(): Promise<void>;
}

/** @param baseUrlOf returns the base URL at which the box asks. */
export async function startAskingSite(
  baseUrlOf: (proxy: FaultProxy) => string,
): Promise<AskingSite> {
  const key = 'local_dsc_0123456789abcdef';
  const hosted = await hostedSite();
  const docs = path.resolve('src/service/sample/docs');
  const service = await startLocalService({ docs, domain: 'sample', key, paceMs: 0 });
  await service.whenIndexed();
  const proxy = await startFaultProxy({ target: service.url });
  await enhance(hosted.folder, { baseUrl: baseUrlOf(proxy), domain: 'sample', key });
  return {
    hosted,
    proxy,
    key,
    questions: () => proxy.exchanges.filter(({ method }) => method === 'POST'),
    stop: async () => {
      await proxy.stop();
      await service.stop();
      await hosted.remove();
    },
  };
}

/** Notes each error of a page. Chromium also tells there what a policy has blocked. */
export function noteErrors(page: Page, complaints: string[]): void {
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
}

/**
 * Notes each exception of a page, what its policy has blocked, and requests to an origin that isn't one of its own.
 * A page that asks a service may log that a request failed.
 */
export function noteForeign(page: Page, own: readonly string[], complaints: string[]): void {
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (message) => {
    if (/Content.Security.Policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on('request', (request) => {
    if (!own.includes(new URL(request.url()).origin)) complaints.push(request.url());
  });
}

/** Saves a picture if the run wants pictures. */
export async function shoot(page: Page, title: string): Promise<void> {
  if (wantsScreenshots) await takeScreenshot(page, title);
}

let axe: Promise<string> | undefined;

/** Returns what axe finds in the box of an enhanced site. */
export async function boxFindings(page: Page): Promise<string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // A policy allows no script that a test adds to the document, but one that the browser itself runs.
  const hasAxe = await page.evaluate(() => 'axe' in window);
  if (!hasAxe) await page.evaluate(await axe);
  return page.evaluate(async () => {
    const box = document.querySelector('docs-assistant-box');
    if (!box) return ['no box'];
    const { violations } = await window.axe.run(box, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    );
  });
}

/** Returns by how many pixels the open box is wider than its place. */
export function boxOverflow(page: Page): Promise<number> {
  return page.getByRole('dialog').evaluate((box) => box.scrollWidth - box.clientWidth);
}
