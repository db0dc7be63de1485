/** Exports a site as a person does, in steps that several tests share. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Exchange, Fault } from '../fakes/faults';
import { exportCommands, exportSettings, exportViews } from '../../src/common/contributions';
import { extensionApi, quickInput } from './asking';
import { docsService } from './docsService';
import { pressKey, workbench } from './pageDriver';
import { suiteEnvironment } from './suiteEnvironment';

/** Rows of the *Exports* tree. */
export const exportRow = '.pane-body .monaco-list-row';
export const quickPickRow = '.quick-input-widget .monaco-list-row';
export const notification =
  ':is(.notifications-toasts, .notifications-center) .notification-list-item:visible';

/** Exchanges before this one are of other tests. */
let firstExchange = 0;

/**
 * Starts without a local site, with the service up, the export API set up at it, and the tree in
 * front.
 */
export async function startExporting(): Promise<void> {
  await docsService.comeBack();
  await docsService.clearFaults();
  firstExchange = (await docsService.exchanges()).length;
  (await extensionApi()).useSite(undefined);
  await clearNotifications();
  const { site } = suiteEnvironment();
  await configure(exportSettings.apiUrl, site.url);
  await configure(exportSettings.exportDomain, site.domain);
  await vscode.commands.executeCommand(`${exportViews.exports}.focus`);
}

export async function stopExporting(): Promise<void> {
  await docsService.clearFaults();
  for (const setting of Object.values(exportSettings)) await configure(setting, undefined);
}

/** Takes every export off the list, so that other tests find none. */
export async function forgetExports(): Promise<void> {
  const rows = { hasText: suiteEnvironment().site.domain };
  for (let left = await workbench.count(exportRow, rows); left > 0; left--) {
    const forgotten = begin(exportCommands.removeExport);
    // Where there are several, it asks which.
    if (left > 1) await choose(rows.hasText);
    await forgotten;
    await workbench.waitFor(exportRow, { ...rows, nth: left - 1 }, 'detached');
  }
}

export async function configure(setting: string, value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update(setting, value, vscode.ConfigurationTarget.Global);
}

/**
 * Waits for a notification with the text. VS Code shows at most two that come at once and puts the
 * rest into its list alone, as newer ones put all of them under test. The list is opened where none shows for a while.
 */
export async function whenNotified(text: string): Promise<void> {
  for (let round = 1; ; round++) {
    if ((await workbench.count(notification, { hasText: text })) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (round % 10 === 0) await vscode.commands.executeCommand('notifications.showList');
  }
}

/** Looks, a tenth of a second apart, after which a click counts as lost. A slow machine needs some of them to close. */
const ROUNDS_TO_CLICK_AGAIN = 50;

/**
 * Waits for a notification with the text and takes one of its actions, which closes it. While other notifications
 * come and go, VS Code moves it, and a click can be lost: it is repeated while the notification stays.
 */
export async function takeAction(text: string, action: string): Promise<void> {
  await whenNotified(text);
  const left = await workbench.count(notification, { hasText: text });
  for (let round = 0; ; round++) {
    if (round > 0 && (await workbench.count(notification, { hasText: text })) < left) return;
    if (round % ROUNDS_TO_CLICK_AGAIN === 0) {
      await workbench.click(`${notification}:has-text("${text}") .monaco-button`, {
        hasText: action,
        nth: 0,
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Closes all notifications and waits until VS Code has none. Its list is opened to see them all: VS Code
 * sometimes hides a notification without closing it, which would pass for a new one when the list is opened next.
 * One with progress can't be closed, and stays for a moment.
 */
export async function clearNotifications(): Promise<void> {
  for (;;) {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('notifications.showList');
    const left = await workbench.count(notification);
    await vscode.commands.executeCommand('notifications.hideList');
    if (left === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Chooses from the list that is open. */
export async function choose(text: string): Promise<void> {
  await workbench.click(quickPickRow, { hasText: text, nth: 0 });
}

/**
 * Names a file in VS Code's own dialog. While it lists a folder, the dialog puts its own name back
 * into the field and takes no Enter: both are done again until it closes.
 *
 * @param next title of the list that follows the dialog, if one does.
 */
export async function nameFile(file: string, next?: string): Promise<void> {
  const field = `(() => {
    const widget = document.querySelector('.quick-input-widget');
    const isOpen = widget !== null && getComputedStyle(widget).display !== 'none';
    const title = widget?.querySelector('.quick-input-title')?.textContent ?? '';
    if (title === ${JSON.stringify(next ?? null)}) return null;
    return isOpen ? (widget.querySelector('input')?.value ?? null) : null;
  })()`;
  // A list that leads to the dialog closes before the dialog opens. Only the dialog has a path in its field.
  while (!String(await workbench.evaluate(field)).startsWith('/')) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // The dialog puts back what it had while it still reads a folder: it gets more time each round.
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 3000)) {
    const value = await workbench.evaluate(field);
    if (value === null) return;
    if (value === file) await pressKey('Enter');
    else await workbench.fill(quickInput, file);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Returns a fault whose answers keep a job running until the faults are cleared. */
export function jobUnderWay(answer: Readonly<Record<string, unknown>>): Fault {
  return {
    when: { method: 'GET', pathIncludes: '/v1/static-export/jobs/' },
    times: 100_000,
    respond: {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    },
  };
}

/** Requests to the export API since {@link startExporting} that fit. */
export async function exportRequests(method: string, ending: string): Promise<Exchange[]> {
  return (await docsService.exchanges()).filter(
    (exchange) =>
      exchange.index >= firstExchange &&
      exchange.method === method &&
      exchange.path.endsWith(ending),
  );
}

/** Returns the ID of the job that was started last. */
export async function startedJobId(): Promise<string> {
  const start = (await exportRequests('POST', '/v1/static-export/jobs')).at(-1);
  const { jobId } = JSON.parse(start?.responseText ?? '{}') as { jobId?: unknown };
  assert.ok(typeof jobId === 'string', 'no job was started');
  return jobId;
}

/** Makes a folder for this test, which `remove` deletes. */
export async function temporaryFolder(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-export-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs a command without waiting for it, as it asks the person something. */
export function begin(command: string, ...args: unknown[]): Promise<unknown> {
  const done = Promise.resolve(vscode.commands.executeCommand(command, ...args));
  done.catch(() => undefined);
  return done;
}

/** Exports the suite's site without a look at what is on the way. */
export async function exportQuickly(): Promise<void> {
  const { site } = suiteEnvironment();
  await begin(exportCommands.exportSite, { exportDomain: site.domain });
  await whenNotified('has completed');
}
