// @ts-check
import path from 'node:path';
import { scaledMs } from '../tooling/speed.mjs';

/** @typedef {import('./pageProtocol').PageCommand} PageCommand */
/** @typedef {import('./pageProtocol').PageTarget} PageTarget */
/** @typedef {import('playwright-core').Page} Page */

/** VS Code nests a webview's document two frames deep. */
const OUTER_FRAME = 'iframe.webview[src*="extensionId=docs-assistant.docs-assistant"]';
const INNER_FRAME = 'iframe#active-frame';

/**
 * VS Code before 1.101 shows a webview up to 30 s late where the page before it went with a file still on its
 * way: its new service worker waits for the old one to give that file up (microsoft/vscode#245756).
 */
const ACTION_LIMIT_MS = 60_000;

/** Whether tests keep pictures of what they see, each of which takes about as long as three other actions. */
const wantsScreenshots = process.env.SCREENSHOTS === '1';

/** The tab beside a window, and what it asked for. @type {WeakMap<Page, { tab: Page, requests: string[] }>} */
const tabs = new WeakMap();

/** The second window beside one. @type {WeakMap<Page, Page>} */
const otherWindows = new WeakMap();

/** @param {Page} page */
function tabOf(page) {
  const opened = tabs.get(page);
  if (opened === undefined) throw new Error('no tab is open');
  return opened;
}

/** @param {Page} page */
function otherWindowOf(page) {
  const opened = otherWindows.get(page);
  if (opened === undefined) throw new Error('no other window is open');
  return opened;
}

/** @param {Page} page */
const chatIn = (page) => page.frameLocator(OUTER_FRAME).frameLocator(INNER_FRAME);

/** @param {Page} page @param {import('./pageProtocol').PageSurface} surface */
function root(page, surface) {
  switch (surface) {
    case 'workbench':
      return page;
    case 'chat':
      return chatIn(page);
    case 'tab':
      return tabOf(page).tab;
    case 'otherWorkbench':
      return otherWindowOf(page);
    case 'otherChat':
      return chatIn(otherWindowOf(page));
    default:
      throw new Error(`unknown surface: ${String(surface)}`);
  }
}

/** @param {Page} page @param {'tab' | 'otherWorkbench'} [surface] */
function pageOf(page, surface) {
  if (surface === undefined) return page;
  return surface === 'tab' ? tabOf(page).tab : otherWindowOf(page);
}

/** @param {Page} page @param {string} url @returns {Promise<number | null>} status of the document */
async function openTab(page, url) {
  await closeTab(page);
  const tab = await page.context().newPage();
  /** @type {string[]} */
  const requests = [];
  tab.on('request', (request) => requests.push(request.url()));
  tabs.set(page, { tab, requests });
  const response = await tab.goto(url, { timeout: scaledMs(30_000) });
  return response?.status() ?? null;
}

/** @param {Page} page */
async function closeTab(page) {
  const opened = tabs.get(page);
  tabs.delete(page);
  await opened?.tab.close();
  return opened?.requests ?? [];
}

/** @param {Page} page @param {string} url */
async function openWindow(page, url) {
  await closeWindow(page);
  const other = await page.context().newPage();
  otherWindows.set(page, other);
  // To leave it may ask whether it may be left.
  other.on('dialog', (dialog) => void dialog.accept().catch(() => undefined));
  await other.goto(url, { timeout: scaledMs(60_000) });
}

/** @param {Page} page */
async function closeWindow(page) {
  const other = otherWindows.get(page);
  otherWindows.delete(page);
  if (other === undefined) return;
  const closed = other.waitForEvent('close', { timeout: scaledMs(30_000) });
  await Promise.all([closed, other.close({ runBeforeUnload: true })]);
}

/** @param {Page} page @param {PageTarget} target */
function locate(page, { surface, selector, hasText, nth }) {
  const all = root(page, surface).locator(selector, hasText === undefined ? {} : { hasText });
  return nth === undefined ? all : all.nth(nth);
}

/** @param {Page} page @param {string} folder @param {string} name @returns {Promise<string>} the file */
async function takeScreenshot(page, folder, name) {
  const file = path.join(folder, `${name.replace(/[^\w-]+/g, '-').slice(0, 100)}.png`);
  await page.screenshot({ path: file });
  return file;
}

/**
 * Takes a picture of each window that is open.
 *
 * @param {Page} page
 * @param {string} folder
 * @param {string} name
 * @returns {Promise<string[]>} the files
 */
export async function takeScreenshots(page, folder, name) {
  const files = [await takeScreenshot(page, folder, name)];
  const other = otherWindows.get(page);
  if (other !== undefined) files.push(await takeScreenshot(other, folder, `other window ${name}`));
  return files;
}

/**
 * Does what the suite asks of the page.
 *
 * @param {Page} page
 * @param {PageCommand} command
 * @param {{ otherWindowUrl: string, artifacts: string }} host where `openWindow` finds a second window, and the
 *   folder of screenshots
 * @returns {Promise<unknown>} JSON
 */
export async function perform(page, command, { otherWindowUrl, artifacts }) {
  const timeout = scaledMs(ACTION_LIMIT_MS);
  switch (command.action) {
    case 'click':
    case 'hover':
    case 'focus':
      return locate(page, command.target)[command.action]({ timeout });
    case 'fill':
      return locate(page, command.target).fill(command.value, { timeout });
    case 'press':
      return command.target === undefined
        ? page.keyboard.press(command.key)
        : locate(page, command.target).press(command.key, { timeout });
    case 'type':
      return page.keyboard.type(command.text);
    case 'texts':
      return locate(page, command.target).allInnerTexts();
    case 'inputValue':
      return locate(page, command.target).inputValue({ timeout });
    case 'attribute':
      return locate(page, command.target).getAttribute(command.name, { timeout });
    case 'waitFor':
      return locate(page, command.target).waitFor({ state: command.state, timeout });
    case 'evaluate':
      return root(page, command.surface)
        .locator(':root')
        .evaluate((_, expression) => globalThis.eval(expression), command.expression, { timeout });
    case 'screenshot':
      if (!wantsScreenshots) return undefined;
      return takeScreenshot(pageOf(page, command.surface), artifacts, command.name);
    case 'openTab':
      return openTab(page, command.url);
    case 'closeTab':
      return closeTab(page);
    case 'openWindow':
      return openWindow(page, otherWindowUrl);
    case 'closeWindow':
      return closeWindow(page);
    default:
      throw new Error(`unknown action: ${JSON.stringify(command)}`);
  }
}
