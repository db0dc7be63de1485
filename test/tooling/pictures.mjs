// @ts-check
/**
 * `npm run pictures`: Takes the pictures of the walkthrough, and those of README in other languages, of the
 * extension as it is built. A real VS Code shows it, in each language and theme, on the sample workspace.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from './chromium.mjs';
import { startCodeServer } from './codeServer.mjs';
import { startLocalService } from './localService.mjs';
import { repoRoot } from './paths.mjs';
import { stopAll, stopAllOnExit } from './processes.mjs';
import { ensureCodeServer } from './setup.mjs';
import { scaledMs } from './speed.mjs';
import { makeTempFolder } from './tempFolders.mjs';

/** @typedef {import('playwright-core').Page} Page */

const themes = {
  dark: { name: 'Default Dark Modern', kind: 'vs-dark' },
  light: { name: 'Default Light Modern', kind: 'vs' },
};
const VIEWPORT = { width: 820, height: 520 };
const SCALE = 2;
/** Pixels of a walkthrough's picture per CSS pixel. README's have more. */
const WALKTHROUGH_SCALE = 1.25;
const WEBP_QUALITY = 0.6;
const ACTION_LIMIT_MS = scaledMs(60_000);

/** Questions, which are content and not translated texts. */
const questions = {
  en: 'How do I pay for the label of this shipment?',
  de: 'Wie bezahle ich das Etikett für diese Sendung?',
};

/** @typedef {keyof typeof questions} Language */

/**
 * A window of VS Code in one language and theme.
 *
 * @typedef {object} Window
 * @property {Page} page
 * @property {Language} language
 * @property {Record<string, string>} titles of the manifest
 */

/** @param {Window} window @param {string} command its key in package.nls.json */
async function runCommand({ page, titles }, command) {
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input').first();
  await input.fill(`>${titles[command]}`, { timeout: ACTION_LIMIT_MS });
  const row = page.locator('.quick-input-list .monaco-list-row').first();
  await row.filter({ hasText: titles[command] ?? '' }).click({ timeout: ACTION_LIMIT_MS });
}

const chatOf = (/** @type {Page} */ page) =>
  page
    .frameLocator('iframe.webview[src*="extensionId=docs-assistant.docs-assistant"]')
    .frameLocator('iframe#active-frame');

/** @type {Record<string, (window: Window) => Promise<void>>} What is done before each picture, in this order. */
const steps = {
  ask: async (window) => {
    const { page, language } = window;
    await page.keyboard.press('Control+P');
    await page.locator('.quick-input-widget input').first().fill('createShipment.ts');
    await page.locator('.quick-input-list .monaco-list-row').first().click();
    await page.locator('.view-line').first().waitFor({ timeout: ACTION_LIMIT_MS });
    await page.keyboard.press('Control+G');
    await page.locator('.quick-input-widget input').first().fill(':14');
    await page.keyboard.press('Enter');
    for (let line = 0; line < 6; line++) await page.keyboard.press('Shift+ArrowDown');
    await runCommand(window, 'command.ask.title');
    const chat = chatOf(page);
    const composer = chat.locator('.composer textarea').first();
    await composer.waitFor({ timeout: ACTION_LIMIT_MS });
    await composer.fill(questions[language]);
    await composer.press('Enter');
    await chat.locator('.reply .sources').first().waitFor({ timeout: ACTION_LIMIT_MS });
    await chat.locator('.thread-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
  },
  docs: async (window) => {
    await runCommand(window, 'command.chooseDocs.title');
    await window.page.locator('.quick-input-list .monaco-list-row').nth(3).waitFor();
  },
  agents: async (window) => {
    await window.page.keyboard.press('Escape');
    await runCommand(window, 'command.copyMcpConfiguration.title');
    await window.page.locator('.quick-input-list .monaco-list-row').nth(2).waitFor();
  },
  export: async (window) => {
    const { page } = window;
    await page.keyboard.press('Escape');
    await runCommand(window, 'command.exportSite.title');
    await page.locator('.quick-input-list .monaco-list-row').first().click();
    const row = page.locator('.pane-body .monaco-list-row', { hasText: 'sample' });
    await row.first().waitFor({ timeout: ACTION_LIMIT_MS });
    await row
      .filter({ has: page.locator('.codicon-pass, .codicon-check') })
      .first()
      .waitFor({ timeout: ACTION_LIMIT_MS })
      .catch(() => undefined);
  },
};

/** Scales and encodes a picture with the browser that took it. @param {Page} page @param {Buffer} png @param {number} factor */
async function toWebp(page, png, factor) {
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const encoded = await page.evaluate(async ([url, scale, quality]) => {
    const { document, Image } = globalThis;
    const image = new Image();
    image.src = String(url);
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width * Number(scale));
    canvas.height = Math.round(image.height * Number(scale));
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL('image/webp', Number(quality));
  }, /** @type {const} */ ([source, factor, WEBP_QUALITY]));
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64');
}

/**
 * Takes a picture of the window in each theme.
 *
 * @param {Page} page
 * @param {import('./codeServer.mjs').CodeServer} server
 * @returns {AsyncGenerator<{ theme: string, png: Buffer }>}
 */
async function* inThemes(page, server) {
  for (const [theme, { name, kind }] of Object.entries(themes)) {
    await server.changeSettings({ 'workbench.colorTheme': name });
    await page.locator(`.monaco-workbench.${kind}`).waitFor({ timeout: ACTION_LIMIT_MS });
    // The panel and the icons take the colors on a little later, and nothing tells when.
    await page.waitForTimeout(scaledMs(2000));
    yield { theme, png: await page.screenshot({ caret: 'initial' }) };
  }
}

/** @param {Language} language */
async function takePictures(language) {
  const suffix = language === 'en' ? '' : `.${language}`;
  const manifest = await readFile(path.join(repoRoot, `package.nls${suffix}.json`), 'utf8');
  /** @type {Record<string, string>} */
  const titles = JSON.parse(manifest);
  const { site, stop } = await startLocalService(path.join(repoRoot, 'dist'));
  const workspace = path.join(await makeTempFolder('docs-assistant-pictures'), 'parcels');
  const sample = path.join(repoRoot, 'src/localService/sample/workspace');
  await cp(sample, workspace, { recursive: true });
  const server = await startCodeServer({
    installed: await ensureCodeServer(),
    env: {
      ...process.env,
      DOCS_ASSISTANT_LOCAL_SERVICE: JSON.stringify(site),
      EXTENSIONS_GALLERY: '{}',
    },
    settings: {
      'editor.minimap.enabled': false,
      'workbench.statusBar.visible': false,
      'workbench.layoutControl.enabled': false,
      'window.commandCenter': false,
      'breadcrumbs.enabled': false,
      'chat.disableAIFeatures': true,
    },
  });
  const browser = await launchChromium();
  const context = await browser.newContext({ viewport: VIEWPORT, deviceScaleFactor: SCALE });
  const page = await context.newPage();
  try {
    // VS Code's own texts stay English without its language pack. Extensions follow the language.
    await page.addInitScript(
      `Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => '${language}', set: () => {} });`,
    );
    await page.goto(server.openUrl(workspace, { extensionDevelopmentPath: repoRoot }));
    const files = page.locator('.explorer-folders-view .monaco-list-row');
    await files.first().waitFor({ timeout: ACTION_LIMIT_MS });
    const painter = await context.newPage();
    for (const [name, act] of Object.entries(steps)) {
      await page.bringToFront();
      await act({ page, language, titles });
      for await (const { theme, png } of inThemes(page, server)) {
        const file = `${name}-${theme}${suffix}`;
        await writeFile(path.join(outFolder, `${file}.png`), png);
        const webp = await toWebp(painter, png, WALKTHROUGH_SCALE / SCALE);
        await page.bringToFront();
        await writeFile(path.join(mediaFolder, `${file}.webp`), webp);
        console.log(`${file}: ${webp.length} bytes`);
      }
    }
  } catch (error) {
    await page.screenshot({ path: path.join(outFolder, `failed${suffix}.png`) });
    throw error;
  } finally {
    await browser.close();
    await server.stop();
    await stop();
  }
}

const outFolder = path.join(repoRoot, 'out/pictures');
const mediaFolder = path.join(repoRoot, 'media/walkthrough');

stopAllOnExit();
const { values } = parseArgs({ options: { only: { type: 'string' } } });
for (const folder of [outFolder, mediaFolder]) await mkdir(folder, { recursive: true });
for (const language of /** @type {Language[]} */ (Object.keys(questions))) {
  if (values.only === undefined || values.only === language) await takePictures(language);
}
await stopAll();
