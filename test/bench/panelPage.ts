/** The built panel in headless Chromium, with a host that says what a bench gives it. */
import type { Browser, CDPSession, Page } from 'playwright-core';
import * as v from 'valibot';
import { PROTOCOL_VERSION, type ViewSnapshot } from '../../src/shared/protocol';
import type { MessageView } from '../../src/shared/uiMessage';
import { viewStrings } from '../../src/shared/viewStrings';

export const LONG_TASK_MS = 50;

const at = '2026-01-01T12:00:00.000Z';

export function snapshot(messages: readonly MessageView[]): ViewSnapshot {
  return {
    protocolVersion: PROTOCOL_VERSION,
    seq: 0,
    site: { isConfigured: true, label: 'acme · docs.example.com', isLocal: false, filter: {} },
    thread: { id: 'thread', title: 'Bench', messages },
    contextItems: [],
    suggestions: [],
    now: Date.now(),
    strings: viewStrings,
  };
}

export const question = (id: string, text: string): MessageView => ({
  role: 'user',
  id,
  createdAt: at,
  text,
  contextItems: [],
});

export const reply = (id: string, text: string, status: 'complete' | 'streaming'): MessageView => ({
  role: 'assistant',
  id,
  createdAt: at,
  status,
  parts: [{ type: 'text', text }],
});

export interface Cost {
  /** Time of the main thread, in seconds. */
  readonly task: number;
  /** Milliseconds of each task that took longer than {@link LONG_TASK_MS}. */
  readonly longTasks: readonly number[];
}

const metricsSchema = v.object({
  metrics: v.array(v.object({ name: v.string(), value: v.number() })),
});

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = v.parse(metricsSchema, await session.send('Performance.getMetrics'));
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN;
}

/**
 * Opens the page with the panel and answers in place of its host.
 * @param lastId the message whose paint is noted as `last-painted`.
 */
export async function openPanel(
  browser: Browser,
  address: string,
  shown: ViewSnapshot,
  lastId = '',
): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 420, height: 720 } });
  await page.exposeFunction('hostKeepState', () => undefined);
  await page.exposeFunction('hostNoteViolation', () => undefined);
  await page.exposeFunction('hostNoteNavigation', () => undefined);
  if (lastId !== '') {
    await page.addInitScript((selector) => {
      // Looked for in the page: what asks from outside waits for the panel's main thread itself.
      const changes = new MutationObserver(() => {
        if (!document.querySelector(selector)) return;
        changes.disconnect();
        requestAnimationFrame(() => setTimeout(() => performance.mark('last-painted')));
      });
      changes.observe(document, { childList: true, subtree: true });
    }, `[data-message-id="${lastId}"] .markdown .block`);
  }
  await page.addInitScript((given) => {
    Object.assign(window, {
      longTasks: [] as number[],
      hostReceive: ({ id, name }: { id: number; name: string }) => {
        const result = name === 'view-ready' ? given : null;
        performance.mark(`host-${name}`);
        window.postMessage({ kind: 'reply', id, ok: true, result }, window.origin);
      },
    });
    new PerformanceObserver((list) => {
      // The array that was put there above.
      const { longTasks } = window as unknown as { longTasks: number[] };
      longTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask', buffered: true });
  }, shown);
  await page.goto(address);
  await page.locator('.chat-panel').waitFor();
  return page;
}

/** Feeds the text frame by frame in the page and measures the main thread meanwhile. */
export async function measured(page: Page, feed: () => Promise<unknown>): Promise<Cost> {
  const session = await page.context().newCDPSession(page);
  // Counts the time that the thread itself was busy: on a shared core it also waits for others.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(() => {
    (window as unknown as { longTasks: number[] }).longTasks.length = 0;
  });
  const before = await taskSeconds(session);
  await feed();
  const task = (await taskSeconds(session)) - before;
  const longTasks = await page.evaluate(
    () => (window as unknown as { longTasks: number[] }).longTasks,
  );
  return { task, longTasks };
}
