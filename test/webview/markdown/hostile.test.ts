import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import type { MessageView } from '../../../src/shared/uiMessage';
import {
  aContextItem,
  anError,
  aQuestion,
  aReply,
  aSite,
  aSource,
  aView,
} from '../thread/conversations';
import { scaledMs } from '../../tooling/speed.mjs';
import { useViewTester, type OpenView } from '../harness';
import { contexts, payloads } from './payloads';

/** Trace of Chromium, with the processor time of tasks in µs. */
const traceSchema = v.object({
  traceEvents: v.array(v.object({ name: v.string(), tdur: v.optional(v.number()) })),
});

declare global {
  interface Window {
    /** Payloads that ran. */
    hits: string[];
    hit: () => void;
    /** Active nodes that were in the document, if only for a moment. */
    findings: Set<string>;
  }
}

/**
 * Notes every element and attribute that can run, load or lead to something it may not, at the
 * moment when it enters the document. Runs in the page.
 */
function watch(): void {
  const allowedTags = new Set(
    (
      'a article bdi blockquote br code details div em footer h2 h3 h4 h5 h6 header hr li main ol p pre s ' +
      'input section span strong summary sup table tbody td th thead tr ul ' +
      'math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms ' +
      'mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics ' +
      'vscode-button vscode-divider vscode-progress-ring vscode-text-area'
    ).split(' '),
  );
  const allowedAttributes =
    /^(class|dir|title|role|tabindex|hidden|start|value|open|lang|appearance|disabled|rows|resize|placeholder|current-value|type|orientation|aria-[a-z]+|data-(message-id|source-id|number|host|language|sign|math|footnote))$/;
  const mathAttributes =
    /^(alttext|display|displaystyle|scriptlevel|math(variant|color|background|size)|fence|separator|stretchy|symmetric|largeop|movablelimits|accent|accentunder|form|[lr]space|minsize|maxsize|width|height|depth|voffset|linethickness|column(align|spacing|lines)|row(align|spacing|lines)|frame|notation)$/;
  window.hits = [];
  window.findings = new Set();
  window.hit = () => window.hits.push('hit');
  window.alert = window.hit;
  const inspect = (found: Element): void => {
    const tag = found.tagName.toLowerCase();
    // The view's own: what keeps the place of messages that are not built, and its buttons.
    const isOwn = (): boolean =>
      !found.closest('.markdown') || found.closest('.code-header') !== null;
    if (!allowedTags.has(tag) && !(tag === 'button' && isOwn())) window.findings.add(`<${tag}>`);
    for (const { name, value } of found.attributes) {
      if (name === 'href' && tag === 'a') {
        if (!/^(https?|mailto):$/.test((found as HTMLAnchorElement).protocol)) {
          window.findings.add(`href ${value}`);
        }
      } else if (found instanceof MathMLElement && mathAttributes.test(name)) continue;
      else if (name === 'id' && /^footnote-\d+-\d+$/.test(value)) continue;
      else if (name === 'id' && value === 'source-card' && isOwn()) continue;
      else if (name === 'checked' && tag === 'input') continue;
      else if (name === 'style' && tag === 'div' && isOwn()) continue;
      else if (!allowedAttributes.test(name)) window.findings.add(`<${tag} ${name}>`);
    }
    const isBox = found instanceof HTMLInputElement && found.type === 'checkbox' && found.disabled;
    if (tag === 'input' && !isBox) window.findings.add('<input>');
  };
  const inspectTree = (root: Node): void => {
    if (!(root instanceof Element)) return;
    inspect(root);
    for (const found of root.querySelectorAll('*')) inspect(found);
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes, attributeName } of changes) {
      // An element is judged by its own attributes and by the classes around it.
      if (attributeName === 'class') inspectTree(target);
      else if (attributeName !== null && target instanceof Element) inspect(target);
      for (const added of addedNodes) inspectTree(added);
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}

async function assertInert(view: OpenView, what: string): Promise<void> {
  const { hits, findings, clobbered } = await view.page.evaluate(() => ({
    hits: window.hits,
    findings: [...window.findings],
    clobbered:
      typeof window.acquireVsCodeApi !== 'function' || !(document.body instanceof HTMLElement),
  }));
  assert.deepEqual(
    { hits, findings, clobbered },
    { hits: [], findings: [], clobbered: false },
    what,
  );
}

describe('hostile content in the chat view', () => {
  const tester = useViewTester();

  /** Shows texts in one reply, as only messages near the view are built. */
  const showAll = async (view: OpenView, id: string, texts: readonly string[]): Promise<void> => {
    const parts = texts.map((text) => ({ type: 'text', text }) as const);
    await view.host.emit('thread-shown', {
      thread: { id: `t-${id}`, title: 'x', messages: [aReply({ id, parts })] },
    });
    const shown = view.page.locator(`.reply[data-message-id="${id}"] .parts > .markdown`);
    await view.until(async () => (await shown.count()) === texts.length, 'all texts');
  };

  const show = async (view: OpenView, texts: readonly string[]): Promise<void> => {
    for (let from = 0; from < texts.length; from += 40) {
      await showAll(view, `r${from}`, texts.slice(from, from + 40));
    }
  };

  it('has several hundred different payloads', () => {
    assert.ok(payloads.length >= 400, String(payloads.length));
  });

  it('finds an active node where there is one', async () => {
    const view = await tester.open(aView());
    await view.page.evaluate(watch);
    await view.page.evaluate(() => {
      const link = document.createElement('a');
      link.setAttribute('href', 'command:x');
      link.setAttribute('onclick', '');
      document.body.append(link, document.createElement('iframe'));
    });
    await assert.rejects(assertInert(view, 'control'), /command:x[^]*onclick[^]*iframe/);
    view.forgetTrouble();
  });

  const loadBareMarkdown = async ({ page }: OpenView): Promise<void> => {
    await page.evaluate(await readFile('out/test/webview/markdown/bareMarkdown.js', 'utf8'));
  };

  // All payloads in bare Markdown views. The panel draws the same: a sample shows that it adds
  // nothing active.
  for (const [name, place] of Object.entries(contexts)) {
    // Shows faults.md G1, G10.
    it(`stays inert as ${name}`, async () => {
      const view = await tester.open(aView());
      await view.page.evaluate(watch);
      const texts = payloads.map(place);
      await loadBareMarkdown(view);
      const read = await view.page.evaluate(
        (whole) => window.streamMarkdown(whole.map((text) => [text])),
        texts,
      );
      assert.equal(read.length, texts.length);
      assert.ok(read.some((text) => text !== ''));
      await show(
        view,
        texts.filter((_, index) => index % 8 === 0),
      );
      await assertInert(view, name);
    });
  }

  /** Returns every so many payloads at a place, as the pieces in which each streams in. */
  const piecesAt = (name: string, every: number): string[][] => {
    const place = contexts[name] ?? assert.fail(name);
    return payloads
      .filter((_, index) => index % every === 0)
      .map((payload) => place(payload).match(/\w+|\s+|[^\w\s]/g) ?? []);
  };

  // Every payload where anything can begin, a third of them where less can.
  for (const [name, every] of [
    ['paragraph', 1],
    ['table', 3],
    ['link text', 3],
    ['code fence', 3],
    ['footnote', 6],
    ['alert', 6],
    ['task', 6],
    ['formula', 6],
  ] as const) {
    it(`stays inert as ${name} at every prefix while it streams`, async () => {
      const view = await tester.open(aView());
      await view.page.evaluate(watch);
      await loadBareMarkdown(view);
      const texts = piecesAt(name, every);
      for (let from = 0; from < texts.length; from += 40) {
        const some = texts.slice(from, from + 40);
        const read = await view.page.evaluate((streamed) => window.streamMarkdown(streamed), some);
        assert.equal(read.length, some.length);
        assert.ok(read.some((text) => text !== ''));
        await assertInert(view, `${name} from ${from}`);
      }
    });
  }

  // The whole panel draws the same texts: a sample shows that it adds nothing active.
  for (const name of ['paragraph', 'link text', 'formula']) {
    it(`stays inert as ${name} at every prefix while it streams into the panel`, async () => {
      const view = await tester.open(aView());
      await view.page.evaluate(watch);
      const pieces = piecesAt(name, 12);
      for (let from = 0; from < pieces.length; from += 20) {
        const [seq, empty] = [view.host.seq, { id: `t${from}`, title: '', messages: [] }];
        const sent = await view.page.evaluate(
          async ({ seq, empty, pieces, reply }) => {
            // Hidden, so that each piece is drawn by itself.
            Object.defineProperty(document, 'hidden', { value: true, configurable: true });
            const post = (message: unknown): void => window.postMessage(message, window.origin);
            let next = seq;
            post({ kind: 'event', seq: ++next, name: 'thread-shown', params: { thread: empty } });
            pieces.forEach((parts, index) => {
              const message = { ...reply, id: `r${index}` };
              post({ kind: 'event', seq: ++next, name: 'message-added', params: { message } });
              for (const piece of parts) post([++next, piece]);
              const params = { messageId: message.id, status: 'complete' };
              post({ kind: 'event', seq: ++next, name: 'reply-status', params });
            });
            // Messages arrive in order: behind this one, all have been drawn.
            await new Promise<void>((resolve) => {
              window.addEventListener('message', ({ data }) => data === 'done' && resolve());
              post('done');
            });
            return next - seq;
          },
          {
            seq,
            empty,
            pieces: pieces.slice(from, from + 20),
            reply: aReply({ status: 'streaming', parts: [{ type: 'text', text: '' }] }),
          },
        );
        for (let count = 0; count < sent; count++) view.host.skipSeq();
        await assertInert(view, `${name} from ${from}`);
      }
      const shown = await view.page.locator('.reply').count();
      assert.equal(shown, pieces.length % 20 || 20);
      assert.equal(view.host.requestsFor('view-ready').length, 1);
    });
  }

  // Shows faults.md G4.
  it('stays inert in titles, names, errors, notices, chips, suggestions, labels and questions', async () => {
    // High enough that all of them are near the view, and so built.
    const view = await tester.open(aView(), { height: 6_000 });
    await view.page.evaluate(watch);
    for (let from = 0; from < payloads.length; from += 20) {
      const some = payloads.slice(from, from + 20);
      const messages = some.flatMap((payload, index): MessageView[] => [
        aQuestion({
          id: `q${from}-${index}`,
          text: payload,
          contextItems: [aContextItem({ label: payload, path: payload })],
          files: [{ id: 'f', filename: payload, mediaType: payload, sizeBytes: 1 }],
        }),
        aReply({
          id: `r${from}-${index}`,
          status: 'failed',
          notice: payload,
          error: anError({ message: payload }),
          parts: [
            { type: 'reasoning', text: payload },
            {
              type: 'search',
              toolCallId: 'c',
              toolName: payload,
              state: 'done',
              query: payload,
              resultCount: 1,
            },
            aSource(1, { sourceId: payload, title: payload, url: payload }),
            aSource(2, { title: payload, url: `https://a.example/${encodeURIComponent(payload)}` }),
            { type: 'file', mediaType: payload, url: payload, filename: payload },
          ],
        }),
      ]);
      await view.host.emit('thread-shown', {
        thread: { id: `t${from}`, title: some[0] ?? '', messages },
      });
      await view.host.emit('context-items', {
        items: some.map((label, index) => aContextItem({ id: String(index), label, path: label })),
        files: some.slice(0, 10).map((filename, index) => ({
          id: `f${index}`,
          filename,
          mediaType: filename,
          sizeBytes: 1,
        })),
        page: some[0] ?? '',
      });
      const last = view.page.locator(
        `.reply[data-message-id="r${from}-${some.length - 1}"] .files`,
      );
      await last.waitFor({ state: 'attached' });
      await view.until(
        async () => (await view.page.locator('.reply .files').count()) === some.length,
        'all messages',
      );
    }
    await view.host.emit('site-changed', {
      site: aSite({
        label: payloads[0] ?? '',
        filter: { version: payloads[1] ?? '', groups: payloads.slice(2, 9) },
      }),
      suggestions: payloads.slice(0, 100),
    });
    await view.host.emit('thread-shown', { thread: { id: 'empty', title: '', messages: [] } });
    await view.drawn();
    await assertInert(view, 'elsewhere');
  });

  it('leads a click on any link to the host alone, with an address of an allowed kind', async () => {
    const view = await tester.open(aView());
    await view.page.evaluate(watch);
    const last = payloads.slice(-120);
    let count = 0;
    for (let from = 0; from < last.length; from += 40) {
      await showAll(view, `r${from}`, last.slice(from, from + 40));
      count += await view.page.evaluate(() => {
        const links = [...document.querySelectorAll<HTMLElement>('.markdown a')];
        for (const link of links) link.click();
        // Links of footnotes lead to a place in the same text, so the host doesn't learn about
        // them.
        return links.filter((link) => !link.getAttribute('href')?.startsWith('#')).length;
      });
    }
    assert.ok(count > 10, String(count));
    const opened = await view.requested('link-open', count);
    assert.equal(opened.length, count);
    for (const { href } of opened) {
      assert.match(href, /^(https?:\/\/|mailto:)/);
    }
  });

  it('keeps the letters of a link in their order where the text before it turns them round', async () => {
    const text = 'At \u202e[moc.emca](https://evil.example/) it is.';
    const view = await tester.open(
      aView({ messages: [aReply({ parts: [{ type: 'text', text }] })] }),
    );
    const link = view.page.locator('.markdown a');
    assert.equal(await link.getAttribute('data-host'), 'evil.example');
    const [first, last] = await link.evaluate((found) => {
      const place = (at: number): number => {
        const range = document.createRange();
        range.setStart(found.firstChild ?? found, at);
        range.setEnd(found.firstChild ?? found, at + 1);
        return range.getBoundingClientRect().left;
      };
      return [place(0), place(7)] as const;
    });
    assert.ok(first < last, `${first}, ${last}`);
  });

  // Shows faults.md G8.
  it('ignores messages that are none of the host’s', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    const before = await view.page.locator('.messages').innerHTML();
    await view.page.evaluate((seq) => {
      const forged: unknown[] = [
        null,
        'text',
        [],
        [[]],
        [seq + 1],
        [seq + 1, 5],
        { kind: 'event', seq: seq + 1, name: 'thread-shown', params: { thread: { id: 'x' } } },
        { kind: 'event', seq: seq + 1, name: '__proto__', params: {} },
        { kind: 'event', seq: '1', name: 'composer-focus', params: {} },
        { kind: 'reply', id: 1, ok: true, result: { thread: 'forged' } },
        { kind: 'reply', id: 999, ok: false, error: {} },
        { kind: 'request', id: 1, name: 'action-run', params: { action: 'open-log' } },
        JSON.parse('{"kind":"event","__proto__":{"seq":1},"name":"composer-focus","params":{}}'),
        { kind: 'event', seq: seq + 1, name: 'composer-focus', params: { text: { length: 1e9 } } },
        'x'.repeat(5_000_000),
      ];
      for (const message of forged) window.postMessage(message, window.origin);
    }, view.host.seq);
    await view.drawn();
    assert.equal(await view.page.locator('.messages').innerHTML(), before);
    assert.equal(await view.composer.inputValue(), '');
    await view.host.addMessage(aQuestion({ id: 'q2', text: 'Still alive?' }));
    await view.page.getByText('Still alive?').waitFor();
  });

  it('ignores messages from another origin', async () => {
    const view = await tester.open(aView());
    await view.page.evaluate((seq) => {
      const message = {
        kind: 'event',
        seq: seq + 1,
        name: 'composer-focus',
        params: { text: 'forged' },
      };
      window.dispatchEvent(
        new MessageEvent('message', { data: message, origin: 'https://evil.example' }),
      );
    }, view.host.seq);
    await view.drawn();
    assert.equal(await view.composer.inputValue(), '');
  });

  it('has a policy that refuses what would run or load, were it there', async () => {
    const view = await tester.open(aView());
    await view.page.evaluate(watch);
    await view.page.evaluate(() => {
      const html =
        '<img src="https://evil.example/x.png" onerror="hit()"><iframe src="https://evil.example/"></iframe>' +
        '<p style="background:url(https://evil.example/y.png)">x</p><base href="https://evil.example/">';
      document.body.insertAdjacentHTML('beforeend', html);
      const script = document.createElement('script');
      script.textContent = 'hit()';
      document.body.append(script);
      void fetch('https://evil.example/z').catch(() => undefined);
    });
    await view.until(() => view.policyViolations.length >= 5, 'five violations');
    await view.until(
      () => view.refusedRequests.length >= view.foreignRequests.length,
      'the end of each request',
    );
    assert.deepEqual(await view.page.evaluate(() => window.hits), []);
    assert.deepEqual(view.foreignRequests, view.refusedRequests);
    view.forgetTrouble();
  });

  describe('with text made to be slow', () => {
    /**
     * Returns the processor time in ms of the longest task of the page's main thread while the text streams in. A task that
     * waits for a core of a busy machine does nothing meanwhile.
     */
    const longestTask = async (view: OpenView, pieces: readonly string[]): Promise<number> => {
      const [seq, reply] = [
        view.host.seq,
        aReply({ status: 'streaming', parts: [{ type: 'text', text: '' }] }),
      ];
      const browser = view.page.context().browser() ?? assert.fail('no browser');
      await browser.startTracing(view.page, { categories: ['toplevel'] });
      await view.page.evaluate(
        async ({ seq, reply, pieces }) => {
          let next = seq;
          const post = (message: unknown): void => window.postMessage(message, window.origin);
          post({ kind: 'event', seq: ++next, name: 'message-added', params: { message: reply } });
          for (const piece of pieces) {
            post([++next, piece]);
            await new Promise((resolve) => requestAnimationFrame(resolve));
          }
          const params = { messageId: reply.id, status: 'complete' };
          post({ kind: 'event', seq: next + 1, name: 'reply-status', params });
          await new Promise((resolve) => setTimeout(resolve, 200));
        },
        { seq, reply, pieces },
      );
      const { traceEvents } = v.parse(traceSchema, JSON.parse(String(await browser.stopTracing())));
      const tasks = traceEvents.flatMap(({ name, tdur }) =>
        name === 'ThreadControllerImpl::RunTask' && tdur !== undefined ? [tdur / 1000] : [],
      );
      assert.ok(tasks.length > pieces.length, 'the trace has no tasks');
      return tasks.reduce((longest, ms) => Math.max(longest, ms), 0);
    };

    const row = (width: number) => `${'| cell '.repeat(width)}|\n`;
    const streams: Record<string, string[]> = {
      'code of 100,000 lines': [
        '```ts\n',
        ...Array<string>(100).fill('const line = 1;\n'.repeat(1_000)),
        '```\n',
      ],
      'a table of 200 columns and 5,000 rows': [
        row(200),
        `${'|---'.repeat(200)}|\n`,
        ...Array<string>(100).fill(row(200).repeat(50)),
      ],
      'a line of a megabyte': Array<string>(100).fill('lorem *ipsum* '.repeat(715)),
      'quotes in quotes': Array<string>(50).fill('>'.repeat(200)),
      'lists in lists': Array.from({ length: 200 }, (_, depth) => `${'  '.repeat(depth)}- a\n`),
      brackets: Array<string>(50).fill('['.repeat(2_000)),
    };
    for (const [name, pieces] of Object.entries(streams)) {
      // Shows faults.md G6.
      it(`stays usable under ${name}`, async () => {
        const view = await tester.open(aView());
        const longest = await longestTask(view, pieces);
        // Without limits on what is drawn, these take many seconds.
        assert.ok(longest < scaledMs(2_000), `a task of ${Math.round(longest)} ms`);
        await view.composer.fill('still here');
        assert.equal(await view.composer.inputValue(), 'still here');
      });
    }
  });
});
