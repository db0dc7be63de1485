/**
 * Measures what showing a reply costs the panel's main thread in headless Chromium, beside the ways
 * that others do it: recorded docs as one long reply, in deltas of 50 characters, four a frame.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import * as v from 'valibot';
import type { MessageView } from '../../src/shared/uiMessage';
import { WebviewServer } from '../webview/webviewPage';
import { against, bounded, median, report, type BenchRow } from './benchRow';
import {
  LONG_TASK_MS,
  measured,
  openPanel,
  question,
  reply,
  snapshot,
  type Cost,
} from './panelPage';
import { launchBrowser } from '../webview/harness';

const DELTA_LENGTH = 50;
const DELTAS_A_FRAME = 4;
const SIZES = { small: 10_000, medium: 100_000, large: 400_000 } as const;
const ROUNDS = 2;
const MESSAGES = 2_000;
const FEW_MESSAGES = 20;
/** Opening is short, so chance weighs more in it than in a stream. */
const OPENING_ROUNDS = 5;
const START_UP_BUDGET_BYTES = 350 * 1024;
const TOOLKIT_PACKAGES = ['@vscode/webview-ui-toolkit', '@microsoft/fast-', 'exenv-es6', 'tslib'];

/**
 * Returns the sample docs one after the other, repeated up to that length: prose, code, tables and
 * lists.
 */
function recordedText(length: number): string {
  const folder = 'dist/sampleDocs';
  const pages = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /\.mdx?$/.test(name))
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replace(/^---\n.*?\n---\n/s, ''));
  const once = pages.join('\n\n');
  return once.repeat(Math.ceil(length / once.length)).slice(0, length);
}

async function streamOurs(browser: Browser, address: string, text: string): Promise<Cost> {
  const page = await openPanel(
    browser,
    address,
    snapshot([question('q', 'All of it, please.'), reply('r', '', 'streaming')]),
  );
  const cost = await measured(page, () =>
    page.evaluate(
      async ({ text: all, deltaLength, deltasAFrame }) => {
        const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
        let seq = 0;
        for (let index = 0; index < all.length;) {
          await frame();
          for (let count = 0; count < deltasAFrame; count++, index += deltaLength) {
            window.postMessage([++seq, all.slice(index, index + deltaLength)], window.origin);
          }
        }
        const params = { messageId: 'r', status: 'complete' };
        window.postMessage(
          { kind: 'event', seq: seq + 1, name: 'reply-status', params },
          window.origin,
        );
        // Work that is left for quiet moments, such as coloring code, counts as well.
        while (document.querySelector('article.reply[aria-busy="false"]') === null) await frame();
        for (let count = 0; count < 30; count++) await frame();
      },
      { text, deltaLength: DELTA_LENGTH, deltasAFrame: DELTAS_A_FRAME },
    ),
  );
  await page.close();
  return cost;
}

async function streamPeer(
  browser: Browser,
  script: string,
  name: string,
  text: string,
): Promise<Cost> {
  const page = await openPeers(browser, script);
  const cost = await measured(page, () =>
    page.evaluate(
      async ({ peer, text: all, deltaLength, deltasAFrame }) => {
        const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
        const scroller = document.querySelector('main');
        const root = document.querySelector('#root');
        const { peers } = window as unknown as {
          peers: Record<
            string,
            (root: Element) => { write(text: string, delta: string): void; end(): void }
          >;
        };
        const make = peers[peer];
        if (!make || !root || !scroller) throw new Error('No such peer');
        const view = make(root);
        const step = deltaLength * deltasAFrame;
        for (let index = 0; index < all.length; index += step) {
          await frame();
          view.write(all.slice(0, index + step), all.slice(index, index + step));
          scroller.scrollTop = scroller.scrollHeight;
        }
        view.end();
        for (let count = 0; count < 30; count++) await frame();
      },
      { peer: name, text, deltaLength: DELTA_LENGTH, deltasAFrame: DELTAS_A_FRAME },
    ),
  );
  await page.close();
  return cost;
}

async function openPeers(browser: Browser, script: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 420, height: 720 } });
  await page.setContent(
    '<!DOCTYPE html><style>main { height: 600px; overflow: auto } pre { overflow: auto }</style><main><div id="root"></div></main>',
  );
  await page.addScriptTag({ content: script });
  await page.evaluate(() => {
    Object.assign(window, { longTasks: [] });
  });
  return page;
}

/** Returns 2,000 messages with the text of a page each, as the panel and the peer get them. */
function longConversation(text: string): MessageView[] {
  const parts = text.split(/\n(?=## )/).filter((part) => part.length > 200);
  return Array.from({ length: MESSAGES }, (_, index) =>
    index % 2 === 0
      ? question(`m${index}`, `What about part ${index}?`)
      : reply(`m${index}`, (parts[index % parts.length] ?? '').slice(0, 4_000), 'complete'),
  );
}

/** Milliseconds from the snapshot's arrival to the paint of the last message. */
async function openOurs(
  browser: Browser,
  address: string,
  messages: readonly MessageView[],
): Promise<number> {
  const page = await openPanel(browser, address, snapshot(messages), messages.at(-1)?.id);
  await page.waitForFunction(() => performance.getEntriesByName('last-painted').length > 0);
  const ms = await page.evaluate(() => {
    const [asked, painted] = ['host-view-ready', 'last-painted'].map(
      (name) => performance.getEntriesByName(name)[0]?.startTime ?? NaN,
    );
    return (painted ?? NaN) - (asked ?? NaN);
  });
  await page.close();
  return ms;
}

async function openAll(
  browser: Browser,
  script: string,
  messages: readonly MessageView[],
): Promise<number> {
  const page = await openPeers(browser, script);
  const texts = messages.map((message) =>
    message.role === 'user'
      ? message.text
      : message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  );
  const ms = await page.evaluate((given) => {
    const { renderAll } = window as unknown as {
      renderAll: (root: Element | null, texts: string[]) => Promise<number>;
    };
    return renderAll(document.querySelector('#root'), given);
  }, texts);
  await page.close();
  return ms;
}

const metafileSchema = v.object({
  outputs: v.record(
    v.string(),
    v.object({
      bytes: v.number(),
      imports: v.array(v.object({ path: v.string(), kind: v.string() })),
      inputs: v.record(v.string(), v.object({ bytesInOutput: v.number() })),
    }),
  ),
});

/**
 * Returns the row for the size of the script that the first paint waits for, and the toolkit's share
 * of it.
 */
function startUpRow(): BenchRow {
  const { outputs } = v.parse(
    metafileSchema,
    JSON.parse(readFileSync('out/meta/webview.json', 'utf8')),
  );
  const loaded = new Set(['dist/webview/main.js']);
  for (const file of loaded) {
    for (const { path: imported, kind } of outputs[file]?.imports ?? []) {
      if (kind === 'import-statement' && outputs[imported]) loaded.add(imported);
    }
  }
  const bytes = [...loaded].reduce((sum, file) => sum + statSync(file).size, 0);
  const toolkit = [...loaded]
    .flatMap((file) => Object.entries(outputs[file]?.inputs ?? {}))
    .filter(([input]) => TOOLKIT_PACKAGES.some((name) => input.includes(`node_modules/${name}`)))
    .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  return bounded({
    name: 'Panel: start-up bundle',
    unit: 'bytes',
    ours: bytes,
    goal: START_UP_BUDGET_BYTES,
    note: `the toolkit's share is ${toolkit.toLocaleString('en')} (${Math.round((toolkit / bytes) * 100)} %)`,
  });
}

async function main(): Promise<void> {
  const built = await esbuild.build({
    entryPoints: ['test/bench/panelPeers.mjs'],
    bundle: true,
    minify: true,
    format: 'iife',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  const script = built.outputFiles[0]?.text ?? '';
  const browser = await launchBrowser();
  const server = await WebviewServer.start();
  try {
    const address = server.addPage(() => ({ theme: 'dark', state: undefined }));
    const texts = {
      small: recordedText(SIZES.small),
      medium: recordedText(SIZES.medium),
      large: recordedText(SIZES.large),
    };
    const ours = { small: [] as Cost[], medium: [] as Cost[], large: [] as Cost[] };
    const peers: Record<string, Cost[]> = {
      'markdown-it': [],
      marked: [],
      'streaming-markdown': [],
      streamdown: [],
    };
    const opening = { ours: [] as number[], few: [] as number[], all: [] as number[] };
    const messages = longConversation(recordedText(SIZES.medium));
    await streamOurs(browser, address, texts.small);
    // Interleaved, so that a machine that slows down slows all alike.
    for (let round = 0; round < ROUNDS; round++) {
      for (const size of ['small', 'medium', 'large'] as const) {
        ours[size].push(await streamOurs(browser, address, texts[size]));
      }
      for (const [name, costs] of Object.entries(peers)) {
        costs.push(await streamPeer(browser, script, name, texts.medium));
      }
    }
    for (let round = 0; round < OPENING_ROUNDS; round++) {
      opening.ours.push(await openOurs(browser, address, messages));
      opening.few.push(await openOurs(browser, address, messages.slice(-FEW_MESSAGES)));
      opening.all.push(await openAll(browser, script, messages));
    }
    const ms = (costs: readonly Cost[]): number => median(costs.map(({ task }) => task)) * 1000;
    const peerRow = (name: string, peerName: string, goal: number): BenchRow =>
      against({
        name: `Panel: reply of 100 KB, ${name}`,
        unit: 'ms main thread',
        ours: ms(ours.medium),
        peer: ms(peers[name] ?? []),
        peerName,
        goal,
      });
    const longest = [...ours.small, ...ours.medium, ...ours.large].flatMap(
      ({ longTasks }) => longTasks,
    );
    report([
      peerRow('markdown-it', 'markdown-it and DOMPurify, whole at each frame', 0.2),
      peerRow('marked', 'marked and DOMPurify, whole at each frame', 0.2),
      peerRow('streamdown', 'streamdown with React', 0.4),
      peerRow('streaming-markdown', 'streaming-markdown, which sanitizes nothing', 1),
      against({
        name: 'Panel: cost per KB at 400 KB',
        unit: 'ms/KB',
        ours: ms(ours.large) / (SIZES.large / 1000),
        peer: ms(ours.small) / (SIZES.small / 1000),
        peerName: 'the same at 10 KB',
        goal: 1.2,
        note: `at 100 KB: ${(ms(ours.medium) / (SIZES.medium / 1000)).toFixed(2)} ms/KB`,
      }),
      bounded({
        name: `Panel: tasks over ${LONG_TASK_MS} ms while streaming`,
        unit: 'tasks',
        ours: longest.length,
        goal: 0,
        note:
          longest.length > 0
            ? `the longest took ${Math.round(Math.max(...longest))} ms`
            : undefined,
      }),
      against({
        name: `Panel: open ${MESSAGES.toLocaleString('en')} messages`,
        unit: 'ms to paint',
        ours: median(opening.ours),
        peer: median(opening.all),
        peerName: 'markdown-it and DOMPurify, all of it',
        goal: 1,
      }),
      against({
        name: `Panel: open ${MESSAGES.toLocaleString('en')} messages`,
        unit: 'ms to paint',
        ours: median(opening.ours),
        peer: median(opening.few),
        peerName: `the last ${FEW_MESSAGES} of them alone`,
        goal: 1.2,
      }),
      startUpRow(),
    ]);
  } finally {
    await browser.close();
    await server.stop();
  }
}

await main();
