import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { pageUrlPath } from '../../src/export/hosting/siteAddresses';
import { hostedSite, type HostedSite } from '../builders/hostedSite';
import { startCloudFront } from '../fakes/cloudFront';
import { startRealServer, type RunningHost } from '../fakes/webServers';
import { scaledMs } from '../tooling/speed.mjs';
import { borrowBrowser, openContext } from './harness';

/** A page that uses what pages of generators use, all of it from its own bundle. */
const demanding = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Demanding</title>
<style>h1 { color: rgb(1, 2, 3) }</style>
<script type="importmap">{"imports":{"answer":"/module.mjs"}}</script>
<script>document.documentElement.dataset.inline = 'ran';</script>
<script type="module">import { answer } from 'answer'; document.documentElement.dataset.module = answer;</script>
<script src="/demanding.js" defer></script></head>
<body><h1 style="letter-spacing: 3px">Demanding</h1>
<button onclick="this.textContent = 'clicked'">Click</button>
<img alt="" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">
<iframe srcdoc="&lt;script&gt;parent.document.documentElement.dataset.frame = 'ran'&lt;/script&gt;"></iframe>
</body></html>
`;

const script = `
const state = document.documentElement.dataset;
fetch('/app.webmanifest').then((answer) => answer.json()).then(({ name }) => { state.fetched = name; });
const code = new Blob(["postMessage('worked')"], { type: 'text/javascript' });
const worker = new Worker(URL.createObjectURL(code));
worker.onmessage = ({ data }) => { state.worker = data; };
const image = new Image();
image.onload = () => { state.image = 'loaded'; };
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>';
image.src = URL.createObjectURL(new Blob([drawing], { type: 'image/svg+xml' }));
`;

/** The policy for the sample bundle, sent by nginx, or by the fake of CloudFront where there is none. */
describe('the policy for the sample bundle in a browser', () => {
  let hosted: HostedSite;
  let host: RunningHost;
  let browser: Browser;
  let giveBack = (): Promise<void> => Promise.resolve();

  before(async function () {
    // The server may have to be installed.
    this.timeout(scaledMs(300_000));
    hosted = await hostedSite({ 'demanding.html': demanding, 'demanding.js': script });
    await chmod(hosted.root, 0o755);
    host =
      (await startRealServer('nginx', hosted.root, hosted.site)) ??
      (await startCloudFront(hosted.root, hosted.site));
    ({ browser, giveBack } = await borrowBrowser());
  });
  after(async () => {
    await giveBack();
    await host.stop();
    await hosted.remove();
  });

  /** Opens a page of the host and lets `use` work on it, with what the policy has blocked so far. */
  async function withPage(
    address: string,
    use: (page: Page, violations: () => Promise<string[]>) => Promise<void>,
  ): Promise<void> {
    const context = await openContext(browser);
    try {
      await context.addInitScript(() => {
        const violations: string[] = [];
        Object.assign(window, { violations });
        document.addEventListener('securitypolicyviolation', (event) => {
          violations.push(`${event.effectiveDirective} ${event.blockedURI} ${location.pathname}`);
        });
      });
      const page = await context.newPage();
      await page.goto(host.origin + address);
      await use(page, () =>
        page.evaluate(() => (window as unknown as { violations: string[] }).violations),
      );
    } finally {
      await context.close();
    }
  }

  it('blocks nothing that a page of the bundle needs', async () => {
    await withPage('/', async (page, violations) => {
      for (const file of hosted.pages) {
        const address = `/${(pageUrlPath(file) ?? '').split('/').map(encodeURIComponent).join('/')}`;
        const answer = await page.goto(host.origin + address);
        assert.equal(answer?.status(), 200, address);
        assert.equal(await answer.headerValue('content-security-policy'), host.policy);
        assert.deepEqual(await violations(), [], address);
      }
    });
  });

  it('lets the search of the sample find a page', async () => {
    await withPage('/v2/en/quickstart', async (page, violations) => {
      await page.keyboard.press('/');
      await page.keyboard.type('rotate the sec');
      await page.getByRole('option', { name: 'Rotate the secret' }).click();
      // The link of the search has .html, and the host leads to the page's own address.
      await page.waitForURL(`${host.origin}/v2/en/webhooks#rotate-the-secret`);
      assert.deepEqual(await violations(), []);
    });
  });

  it('runs the inline code of a page, and all that it loads from the bundle', async () => {
    await withPage('/demanding', async (page, violations) => {
      await page.getByRole('button', { name: 'Click' }).click();
      await page.getByRole('button', { name: 'clicked' }).waitFor();
      for (const [key, value] of Object.entries({
        inline: 'ran',
        module: '42',
        frame: 'ran',
        fetched: 'Docs',
        worker: 'worked',
        image: 'loaded',
      })) {
        await page.waitForFunction(
          ([name = '', expected]) => document.documentElement.dataset[name] === expected,
          [key, value],
        );
      }
      const [color, spacing] = await page.evaluate(() => {
        const heading = document.querySelector('h1');
        const style = heading && getComputedStyle(heading);
        return [style?.color, style?.letterSpacing];
      });
      assert.deepEqual([color, spacing], ['rgb(1, 2, 3)', '3px']);
      assert.deepEqual(await violations(), []);
    });
  });

  it('blocks code that is injected into a page', async () => {
    await withPage('/demanding', async (page, violations) => {
      await page.evaluate(() => {
        const inject = (fill: (script: HTMLScriptElement) => void): void => {
          const element = document.createElement('script');
          fill(element);
          document.body.append(element);
        };
        inject((element) => (element.textContent = "document.title = 'injected'"));
        inject((element) => (element.src = 'https://attacker.invalid/x.js'));
        inject((element) => (element.src = "data:text/javascript,document.title='injected'"));
        const button = document.createElement('button');
        button.setAttribute('onclick', "document.title = 'injected'");
        document.body.append(button);
        button.click();
        const frame = document.createElement('iframe');
        frame.src = 'https://attacker.invalid/';
        document.body.append(frame);
      });
      const expected = [
        'frame-src https://attacker.invalid /demanding',
        'script-src-attr inline /demanding',
        'script-src-elem data /demanding',
        'script-src-elem https://attacker.invalid/x.js /demanding',
        'script-src-elem inline /demanding',
      ];
      await page.waitForFunction(
        (count) => (window as unknown as { violations: string[] }).violations.length >= count,
        expected.length,
      );
      assert.deepEqual((await violations()).sort(), expected);
      assert.equal(await page.title(), 'Demanding');
    });
  });
});
