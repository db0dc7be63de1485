// @ts-check
import path from 'node:path';
import { workbenchArtifacts } from '../tooling/paths.mjs';
import { scaledMs } from '../tooling/speed.mjs';

/** @typedef {import('./pageProtocol').PageCommand} PageCommand */
/** @typedef {import('./pageProtocol').PageTarget} PageTarget */
/** @typedef {import('playwright-core').Page} Page */

/** VS Code nests a webview's document two frames deep. */
const OUTER_FRAME = 'iframe.webview[src*="extensionId=docs-assistant.docs-assistant"]';
const INNER_FRAME = 'iframe#active-frame';

/** @param {Page} page @param {import('./pageProtocol').PageSurface} surface */
const root = (page, surface) =>
  surface === 'chat' ? page.frameLocator(OUTER_FRAME).frameLocator(INNER_FRAME) : page;

/** @param {Page} page @param {PageTarget} target */
function locate(page, { surface, selector, hasText, nth }) {
  const all = root(page, surface).locator(selector, hasText === undefined ? {} : { hasText });
  return nth === undefined ? all : all.nth(nth);
}

/** @param {Page} page @param {string} name @returns {Promise<string>} the file */
export async function takeScreenshot(page, name) {
  const file = path.join(workbenchArtifacts, `${name.replace(/[^\w-]+/g, '-').slice(0, 100)}.png`);
  await page.screenshot({ path: file });
  return file;
}

/**
 * Does what the suite asks of the page.
 *
 * @param {Page} page
 * @param {PageCommand} command
 * @returns {Promise<unknown>} JSON
 */
export async function perform(page, command) {
  const timeout = scaledMs(20_000);
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
      return takeScreenshot(page, command.name);
    case 'resize':
      return page.setViewportSize({ width: command.width, height: command.height });
    default:
      throw new Error(`unknown action: ${JSON.stringify(command)}`);
  }
}
