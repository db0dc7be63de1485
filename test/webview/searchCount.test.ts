import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import { systemClock } from '../../src/common/clock';
import { ReaderCounts } from '../../src/host/readerCounts';
import { siteBelow, survey, type HostedSite } from '../builders/hostedSite';
import { startSiteHost } from '../fakes/siteHost';
import { enhance, noteErrors } from './enhancedSite';
import { borrowBrowser, openContext } from './harness';

/** Time in which the box reports a search, and more. */
const REPORTED_MS = 3000;

/** An enhanced site below a base path, sent by `docs-assistant host`, in a browser. */
describe('searches without a result in an enhanced site', () => {
  let hosted: HostedSite;
  let folder: string;
  let browser: Browser;
  let giveBack = (): Promise<void> => Promise.resolve();
  let context: BrowserContext | undefined;

  before(async () => {
    hosted = await siteBelow('/docs');
    await enhance(hosted.folder);
    folder = await mkdtemp(path.join(os.tmpdir(), 'docs-counts-'));
    ({ browser, giveBack } = await borrowBrowser());
  });
  afterEach(() => context?.close());
  after(async () => {
    await giveBack();
    await hosted.remove();
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Types texts into the box of a page whose host counts or not.
   * @returns the requests that the host got from the box, until it had reported or had time to do so.
   */
  async function typeInto(counts: ReaderCounts | undefined, texts: readonly string[]) {
    const site = await survey(hosted.folder);
    const host = await startSiteHost({ folder: hosted.folder, site, redirects: [] }, { counts });
    try {
      context = await openContext(browser, {});
      const page = await context.newPage();
      const complaints: string[] = [];
      const reports: string[] = [];
      noteErrors(page, complaints);
      page.on('request', (request) => {
        if (request.method() === 'POST') reports.push(request.url());
      });
      await page.goto(`${host.origin}/docs/start`);
      await page.keyboard.press('/');
      const field = page.getByRole('combobox');
      for (const text of texts) {
        await field.fill(text);
        const status = page.locator('docs-assistant-box').getByRole('status');
        await status.filter({ hasText: /result|Nothing|No /i }).waitFor();
        // The box waits for another key. A faked clock would hide the headers of the page from its scripts.
        await page
          .waitForResponse((response) => response.request().method() === 'POST', {
            timeout: REPORTED_MS,
          })
          .catch(() => undefined);
      }
      assert.deepEqual(complaints, []);
      return { reports, origin: host.origin };
    } finally {
      await host.stop();
    }
  }

  it('are reported once each to a host that counts them, within the policy of the site', async () => {
    const counts = new ReaderCounts({ folder, clock: systemClock });
    const texts = ['xyzzyquux', 'start', 'xyzzyquux', 'zzzunknown'];
    const { reports, origin } = await typeInto(counts, texts);
    const url = `${origin}/docs/_docs-assistant/host/searches`;
    assert.deepEqual(reports, [url, url]);
    const { searches } = await counts.report(1);
    assert.deepEqual(searches.map(({ text }) => text).toSorted(), ['xyzzyquux', 'zzzunknown']);
  });

  it('are not sent to any other host', async () => {
    assert.deepEqual((await typeInto(undefined, ['xyzzyquux'])).reports, []);
  });
});
