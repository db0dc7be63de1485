// @ts-check
/** A VS Code window of which pictures are taken: how it is opened, driven and photographed. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { launchChromium } from './chromium.mjs';
import { startCodeServer } from './codeServer.mjs';
import { repoRoot } from './paths.mjs';
import { ensureCodeServer } from './setup.mjs';
import { scaledMs } from './speed.mjs';
import { makeTempFolder } from './tempFolders.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {'en' | 'de'} Language */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ x: number, y: number, width: number, height: number }} Clip */

const themes = {
  dark: { name: 'Default Dark Modern', kind: 'vs-dark' },
  light: { name: 'Default Light Modern', kind: 'vs' },
};
/** Names of the themes in which each picture is taken. */
export const themeNames = Object.keys(themes);
/** Pixels of a picture per CSS pixel. */
export const SCALE = 2;
export const ACTION_LIMIT_MS = scaledMs(60_000);
/** Times that a key is pressed again which VS Code did not take. */
const MAX_KEY_PRESSES = 20;

/** The folder of README's pictures. */
export const imagesFolder = path.join(repoRoot, 'docs/images');
/** The folder of pictures that nothing shows by itself. */
export const outFolder = path.join(repoRoot, 'out/pictures');

/**
 * A window of VS Code in one language.
 *
 * @typedef {object} PictureWindow
 * @property {Page} page
 * @property {import('./codeServer.mjs').CodeServer} server
 * @property {Record<string, string>} titles of the manifest
 */

/** @returns {Promise<string>} a copy of the sample workspace */
export async function copySampleWorkspace() {
  const workspace = path.join(await makeTempFolder('docs-assistant-pictures'), 'parcels');
  const sample = path.join(repoRoot, 'src/service/sample/workspace');
  await cp(sample, workspace, { recursive: true });
  return workspace;
}

/**
 * Opens a window, takes pictures of it and closes it. Where that fails, the window is saved as `failed.png`.
 *
 * @param {object} options
 * @param {string} options.workspace
 * @param {Size} options.viewport in CSS pixels
 * @param {Language} [options.language] English by default
 * @param {Record<string, unknown>} [options.settings] of VS Code, besides those of every picture
 * @param {NodeJS.ProcessEnv} [options.env] of VS Code, besides that of this process
 * @param {(window: PictureWindow) => Promise<void>} take
 */
export async function withWindow(options, take) {
  const { workspace, viewport, language = 'en', settings = {}, env = {} } = options;
  const suffix = language === 'en' ? '' : `.${language}`;
  const titles = JSON.parse(
    await readFile(path.join(repoRoot, `package.nls${suffix}.json`), 'utf8'),
  );
  const server = await startCodeServer({
    installed: await ensureCodeServer(),
    // No picture shows the models of the machine that takes it.
    env: { ...process.env, DOCS_ASSISTANT_MODEL_PORTS: '', ...env, EXTENSIONS_GALLERY: '{}' },
    settings: {
      'editor.minimap.enabled': false,
      'workbench.layoutControl.enabled': false,
      'window.commandCenter': false,
      'breadcrumbs.enabled': false,
      'chat.disableAIFeatures': true,
      ...settings,
    },
  });
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport, deviceScaleFactor: SCALE });
  const page = await context.newPage();
  try {
    // VS Code's own texts stay English without its language pack. Extensions follow the language.
    await page.addInitScript(
      `Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => '${language}', set: () => {} });`,
    );
    await page.goto(server.openUrl(workspace, { extensionDevelopmentPath: repoRoot }));
    const files = page.locator('.explorer-folders-view .monaco-list-row');
    await files.first().waitFor({ timeout: ACTION_LIMIT_MS });
    await take({ page, server, titles });
  } catch (error) {
    await mkdir(outFolder, { recursive: true });
    await page.screenshot({ path: path.join(outFolder, `failed${suffix}.png`) });
    throw error;
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Hides what would cover the subject of a picture: notifications, and an error that only VS Code in a browser shows in a preview. @param {Page} page */
export async function hideNotifications(page) {
  const covers = '.notifications-toasts, .connecting-webview-element';
  await page.addStyleTag({ content: `${covers} { display: none !important; }` });
}

/** @param {PictureWindow} window @param {string} command its key in package.nls.json */
export async function runCommand({ page, titles }, command) {
  const input = page.locator('.quick-input-widget input').first();
  // While VS Code closes another list, F1 opens none.
  for (let round = 0; round < MAX_KEY_PRESSES; round++) {
    if ((await input.isVisible()) && (await input.inputValue()).startsWith('>')) break;
    await page.keyboard.press('F1');
    await page.waitForTimeout(scaledMs(300));
  }
  // VS Code doesn't search for text that is typed before the list is there.
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor({ timeout: ACTION_LIMIT_MS });
  await input.fill(`>${titles[command]}`, { timeout: ACTION_LIMIT_MS });
  await choose(page, `${titles['category']}: ${titles[command]}`);
}

/** Chooses from the list that is open by the keyboard, as rows move under the pointer. @param {Page} page @param {string} text */
export async function choose(page, text) {
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.filter({ hasText: text }).first().waitFor({ timeout: ACTION_LIMIT_MS });
  const wanted = page.locator('.quick-input-list .monaco-list-row.focused', { hasText: text });
  for (let round = 0; round < MAX_KEY_PRESSES; round++) {
    if (await wanted.isVisible()) break;
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(scaledMs(100));
  }
  await page.keyboard.press('Enter');
}

export const chatOf = (/** @type {Page} */ page) =>
  page
    .frameLocator('iframe.webview[src*="extensionId=docs-assistant.docs-assistant"]')
    .frameLocator('iframe#active-frame');

/** Moves the right edge of the side bar. @param {Page} page @param {number} end in CSS pixels */
export async function widenSideBar(page, end) {
  const bar = await page.locator('.part.sidebar').boundingBox();
  if (!bar) throw new Error('There is no side bar.');
  const edge = bar.x + bar.width;
  const y = bar.y + bar.height / 2;
  await page.mouse.move(edge, y);
  await page.mouse.down();
  await page.mouse.move(edge + 20, y);
  await page.mouse.move(end, y);
  await page.mouse.up();
}

/**
 * Opens a file of the sample workspace and selects lines of it.
 *
 * @param {Page} page
 * @param {string} file in `src`
 * @param {string} start line, or line and column as `53:14`
 * @param {number} count
 */
export async function selectLines(page, file, start, count) {
  const files = page.locator('.explorer-folders-view');
  // A click on the icon of the view that shows would hide it.
  if (!(await files.isVisible()))
    await page.locator('.activitybar .action-label[aria-label^="Explorer"]').click();
  const row = (/** @type {string} */ hasText) =>
    page.locator('.explorer-folders-view .monaco-list-row', { hasText }).first();
  await row('src').waitFor({ timeout: ACTION_LIMIT_MS });
  if (!(await row(file).isVisible())) await row('src').click({ timeout: ACTION_LIMIT_MS });
  await row(file).dblclick({ timeout: ACTION_LIMIT_MS });
  await page.locator('.view-line').first().waitFor({ timeout: ACTION_LIMIT_MS });
  await page.keyboard.press('Control+G');
  await page.locator('.quick-input-widget input').first().fill(`:${start}`);
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-widget').waitFor({ state: 'hidden', timeout: ACTION_LIMIT_MS });
  for (let line = 1; line < count; line++) await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+End');
}

/**
 * Names a file or folder in VS Code's own dialog, which holds a path. It puts its own path back while it lists a
 * folder, so both is done again until it closes.
 *
 * @param {Page} page
 * @param {string} file
 */
export async function nameFile(page, file) {
  const input = page.locator('.quick-input-widget input').first();
  const path = async () => ((await input.isVisible()) ? input.inputValue() : '');
  const end = Date.now() + ACTION_LIMIT_MS;
  while (!(await path()).startsWith('/') && Date.now() < end) await page.waitForTimeout(100);
  while (Date.now() < end) {
    const value = await path();
    if (!value.startsWith('/')) return;
    if (value.replace(/\/$/, '') === file) await input.press('Enter');
    else await input.fill(file);
    await page.waitForTimeout(scaledMs(700));
  }
}

/** Folds the chat in the side bar, or opens it again. @param {Page} page */
export async function foldChat(page) {
  await page.locator('.pane-header[aria-label*="Chat"]').click({ timeout: ACTION_LIMIT_MS });
}

/** @param {string} name @param {string} theme @param {string} [language] as `.de` @returns {string} the file name of a picture of README */
export const imageName = (name, theme, language = '') =>
  `${name}${theme === 'light' ? '' : `-${theme}`}${language}.png`;

/**
 * Takes a picture of the window in each theme.
 *
 * @param {PictureWindow} window
 * @param {object} [options]
 * @param {Clip} [options.clip] a part of the window that is wanted, too
 * @param {() => Promise<unknown>} [options.pointAt] moves the pointer to what the picture shows; by default the
 *   pointer is in the top left corner
 * @returns {AsyncGenerator<{ theme: string, png: Buffer, part: Buffer }>} the whole window, and the part
 */
export async function* inThemes({ page, server }, { clip, pointAt } = {}) {
  for (const [theme, { name, kind }] of Object.entries(themes)) {
    await server.changeSettings({ 'workbench.colorTheme': name });
    // An item, a gutter or an edge under the pointer has a tooltip or another color. None is in this corner.
    await page.mouse.move(1, 1);
    await page.locator(`.monaco-workbench.${kind}`).waitFor({ timeout: ACTION_LIMIT_MS });
    // The panel and the icons take the colors on a little later, and nothing tells when.
    await page.waitForTimeout(scaledMs(2000));
    await pointAt?.();
    const png = await page.screenshot({ caret: 'initial' });
    const part = clip === undefined ? png : await page.screenshot({ caret: 'initial', clip });
    yield { theme, png, part };
  }
}

/** Takes README's picture of that name. @param {PictureWindow} window @param {string} name @param {() => Promise<unknown>} [pointAt] */
export async function takeImage(window, name, pointAt) {
  for await (const { theme, png } of inThemes(window, pointAt === undefined ? {} : { pointAt }))
    await writeFile(path.join(imagesFolder, imageName(name, theme)), png);
  console.log(`${name}: taken`);
}
