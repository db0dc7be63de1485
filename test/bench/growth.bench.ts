/**
 * Whether showing a block, an item or a link costs the panel's main thread the same, however many
 * there are: in headless Chromium, streamed and whole.
 */
import type { CDPSession, Page } from 'playwright-core';
import { WebviewServer } from '../webview/webviewPage';
import { against, median, report, type BenchRow } from './benchRow';
import { measured, openPanel, question, reply, snapshot } from './panelPage';
import { launchBrowser } from '../webview/harness';

const FEW = 1_000;
const MANY = 20_000;
const ROUNDS = 2;

/** Pieces as a service sends them are shorter; then the frames alone would take minutes. */
const PIECE_LENGTH = 200;
const PIECES_A_FRAME = 8;

interface Kind {
  readonly name: string;
  /** A list over 100 KB and a paragraph over 20 KB are shown as they are written. */
  readonly few?: number;
  readonly many?: number;
  readonly unit: (index: number) => string;
}

const kinds: readonly Kind[] = [
  { name: 'list item', unit: () => '- a\n' },
  { name: 'definition', unit: (index) => `[l${index}]: /u\n\n` },
  { name: 'link, each a paragraph', unit: () => '[a](https://a.b/c)\n\n' },
  { name: 'link of one list', many: 6_000, unit: () => '- [a](http://b)\n' },
  { name: 'link of one paragraph', few: 250, many: 1_400, unit: () => '[a](http://b) ' },
  { name: 'paragraph', unit: () => 'a\n\n' },
  { name: 'quote', unit: () => '> x\n\n' },
];

/** Units behind each other, and a last block by which one sees that all are shown. */
function textOf({ unit }: Kind, count: number): string {
  return `${Array.from({ length: count }, (_, index) => unit(index)).join('')}\n\nthe end\n`;
}

/** One panel that shows one thread after the other. */
class Threads {
  readonly #page: Page;
  readonly #session: CDPSession;
  #count = 0;

  constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** @returns milliseconds of the main thread until all of the text is shown and finished. */
  async cost(text: string, isStreamed: boolean): Promise<number> {
    await this.#show('', 'complete', false);
    // Memory that the earlier text left behind doesn't belong to the cost of this one.
    await this.#session.send('HeapProfiler.collectGarbage');
    if (!isStreamed) {
      const { task } = await measured(this.#page, () => this.#show(text, 'complete', true));
      return task * 1000;
    }
    const messageId = await this.#show('', 'streaming', false);
    const { task } = await measured(this.#page, async () => {
      await this.#stream(messageId, text);
      await this.#shown(messageId);
    });
    return task * 1000;
  }

  async #show(text: string, status: 'complete' | 'streaming', isAwaited: boolean): Promise<string> {
    const id = `r${++this.#count}`;
    const messages = [question(`q${this.#count}`, 'All of it, please.'), reply(id, text, status)];
    await this.#page.evaluate(
      (thread) => {
        const host = window as unknown as { seq?: number };
        host.seq = (host.seq ?? 0) + 1;
        const event = { kind: 'event', seq: host.seq, name: 'thread-shown', params: { thread } };
        window.postMessage(event, window.origin);
      },
      { id: `thread-${id}`, title: 'Bench', messages },
    );
    if (isAwaited) await this.#shown(id);
    else await this.#page.locator(`[data-message-id="${id}"]`).waitFor({ state: 'attached' });
    return id;
  }

  async #stream(messageId: string, text: string): Promise<void> {
    await this.#page.evaluate(
      async ({ id, all, pieceLength, piecesAFrame }) => {
        const host = window as unknown as { seq: number };
        for (let index = 0; index < all.length;) {
          await new Promise(requestAnimationFrame);
          for (let count = 0; count < piecesAFrame; count++, index += pieceLength) {
            const piece = all.slice(index, index + pieceLength);
            if (piece !== '') window.postMessage([++host.seq, piece], window.origin);
          }
        }
        const params = { messageId: id, status: 'complete' };
        const event = { kind: 'event', seq: ++host.seq, name: 'reply-status', params };
        window.postMessage(event, window.origin);
      },
      { id: messageId, all: text, pieceLength: PIECE_LENGTH, piecesAFrame: PIECES_A_FRAME },
    );
  }

  /** Waits until the last block is there, and nothing is left for quiet moments. */
  async #shown(messageId: string): Promise<void> {
    await this.#page.evaluate(async (id) => {
      const isShown = (): boolean => {
        const article = document.querySelector(`[data-message-id="${id}"][aria-busy="false"]`);
        const section = article?.querySelector('.markdown > .section:nth-last-of-type(1)');
        return section?.lastElementChild?.textContent === 'the end';
      };
      while (!isShown()) await new Promise((resolve) => setTimeout(resolve, 100));
      const left = (): Promise<number> =>
        new Promise((resolve) => {
          requestIdleCallback((deadline) => resolve(deadline.timeRemaining()));
        });
      for (let quiet = 0; quiet < 5;) quiet = (await left()) > 10 ? quiet + 1 : 0;
    }, messageId);
  }
}

/** Measures the cost of one unit among many, divided by its cost among few. */
async function growthRow(threads: Threads, kind: Kind, isStreamed: boolean): Promise<BenchRow> {
  const { name, few = FEW, many = MANY } = kind;
  const texts = { one: textOf(kind, 1), few: textOf(kind, few), many: textOf(kind, many) };
  const times = { few: [] as number[], many: [] as number[] };
  await threads.cost(texts.few, isStreamed);
  for (let round = 0; round < ROUNDS; round++) {
    // Many first: where code is slow at first, it is not the few that seem dear by it.
    const all = await threads.cost(texts.many, isStreamed);
    const some = await threads.cost(texts.few, isStreamed);
    // The cost of a thread itself, however short its text is, isn't a cost of the units.
    const one = await threads.cost(texts.one, isStreamed);
    times.few.push((some - one) / few);
    times.many.push((all - one) / many);
  }
  return against({
    name: `Panel: a ${name}, ${isStreamed ? 'streamed' : 'whole'}, of ${many.toLocaleString('en')}`,
    unit: 'µs main thread',
    ours: 1000 * median(times.many),
    peer: 1000 * median(times.few),
    peerName: `one of ${few.toLocaleString('en')}`,
    goal: 1.3,
  });
}

async function main(): Promise<void> {
  const browser = await launchBrowser();
  const server = await WebviewServer.start();
  try {
    const address = server.addPage(() => ({ theme: 'dark', state: undefined }));
    const rows: BenchRow[] = [];
    for (const kind of kinds) {
      for (const isStreamed of [true, false]) {
        const page = await openPanel(browser, address, snapshot([]));
        const session = await page.context().newCDPSession(page);
        rows.push(await growthRow(new Threads(page, session), kind, isStreamed));
        await page.close();
      }
    }
    report(rows);
  } finally {
    await browser.close();
    await server.stop();
  }
}

await main();
