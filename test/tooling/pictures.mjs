// @ts-check
/**
 * `npm run pictures`: Takes the pictures of the walkthrough, and those of README in other languages, of the
 * extension as it is built. A real VS Code shows it, in each language and theme, on the sample workspace.
 */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import esbuild from 'esbuild';
import { launchChromium } from './chromium.mjs';
import { startCodeServer } from './codeServer.mjs';
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
const VIEWPORT = { width: 960, height: 600 };
/** VS Code shows the sides of a diff next to each other, and messages at lines, if there is room. */
const COMPARISON_VIEWPORT = { width: 1320, height: 620 };
/** Left edge of the editor, in pixels. */
const SIDE_BAR_END = 470;
const MARGIN = 8;
const SCALE = 2;
/** Pixels of a walkthrough's picture per CSS pixel. README's have more. */
const WALKTHROUGH_SCALE = 1;
const WEBP_QUALITY = 0.4;
const ACTION_LIMIT_MS = scaledMs(60_000);

/** Questions, which are content and not translated texts. */
const questions = {
  en: 'How do I create a shipment?',
  de: 'Wie lege ich eine Sendung an?',
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
  // What is typed before the list is there is not searched for.
  const rows = page.locator('.quick-input-list .monaco-list-row');
  await rows.first().waitFor({ timeout: ACTION_LIMIT_MS });
  await input.fill(`>${titles[command]}`, { timeout: ACTION_LIMIT_MS });
  const row = rows.filter({ hasText: `${titles.category}: ${titles[command]}` });
  await row.first().click({ timeout: ACTION_LIMIT_MS });
}

const chatOf = (/** @type {Page} */ page) =>
  page
    .frameLocator('iframe.webview[src*="extensionId=docs-assistant.docs-assistant"]')
    .frameLocator('iframe#active-frame');

/** @param {Page} page */
async function widenSideBar(page) {
  const bar = await page.locator('.part.sidebar').boundingBox();
  if (!bar) throw new Error('There is no side bar.');
  const edge = bar.x + bar.width;
  await page.mouse.move(edge, VIEWPORT.height / 2);
  await page.mouse.down();
  await page.mouse.move(edge + 20, VIEWPORT.height / 2);
  await page.mouse.move(SIDE_BAR_END, VIEWPORT.height / 2);
  await page.mouse.up();
}

/**
 * Returns the part of the window around an element.
 *
 * @param {import('playwright-core').Locator} element
 * @param {number} [maxHeight]
 */
async function around(element, maxHeight = VIEWPORT.height) {
  const box = await element.boundingBox({ timeout: ACTION_LIMIT_MS });
  if (!box) throw new Error('The picture has nothing to show.');
  const [x, y] = [Math.max(0, box.x - MARGIN), Math.max(0, box.y - MARGIN)];
  const height = Math.min(maxHeight, box.y + box.height + MARGIN - y);
  return { x, y, width: Math.min(VIEWPORT.width - x, box.x + box.width + MARGIN - x), height };
}

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Clip
 * @type {Record<string, (window: Window) => Promise<Clip>>} What is done before each picture, in this
 *   order, and the part of the window that it shows in the walkthrough.
 */
const steps = {
  docs: async (window) => {
    const { page } = window;
    await runCommand(window, 'command.chooseDocs.title');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.nth(3).waitFor({ timeout: ACTION_LIMIT_MS });
    return around(page.locator('.quick-input-widget'));
  },
  ask: async (window) => {
    const { page, language } = window;
    await page.locator('.quick-input-list .monaco-list-row').last().click();
    await chatOf(page).locator('.composer textarea').waitFor({ timeout: ACTION_LIMIT_MS });
    await page.keyboard.press('Control+Shift+E');
    const file = (/** @type {string} */ hasText) =>
      page.locator('.explorer-folders-view .monaco-list-row', { hasText }).first();
    await file('src').click({ timeout: ACTION_LIMIT_MS });
    await file('createShipment.ts').dblclick({ timeout: ACTION_LIMIT_MS });
    await page.locator('.view-line').first().waitFor({ timeout: ACTION_LIMIT_MS });
    await page.keyboard.press('Control+G');
    await page.locator('.quick-input-widget input').first().fill(':15');
    await page.keyboard.press('Enter');
    for (let line = 0; line < 6; line++) await page.keyboard.press('Shift+ArrowDown');
    await runCommand(window, 'command.ask.title');
    const chat = chatOf(page);
    const composer = chat.locator('.composer textarea').first();
    await composer.waitFor({ timeout: ACTION_LIMIT_MS });
    await widenSideBar(page);
    await composer.fill(questions[language]);
    await composer.press('Enter');
    await chat.locator('.reply .sources').first().waitFor({ timeout: ACTION_LIMIT_MS });
    await chat.locator('.thread-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
    return around(page.locator('.part.sidebar'), 400);
  },
  agents: async (window) => {
    await runCommand(window, 'command.copyMcpConfiguration.title');
    const rows = window.page.locator('.quick-input-list .monaco-list-row');
    await rows.nth(2).waitFor({ timeout: ACTION_LIMIT_MS });
    return around(window.page.locator('.quick-input-widget'), 250);
  },
};

/** Folders of two releases, whose names are in the picture of their comparison. */
const releases = { before: 'docs-2.3', after: 'docs-2.4' };

/** Renders the sample docs twice, with differences. @param {string} folder */
async function makeReleases(folder) {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `export { plantDifferences } from './test/builders/spoiledBundle';
        export { renderSite } from './src/localService/export/site/siteRenderer';`,
      resolveDir: repoRoot,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(process.cwd()+'/');",
    },
    write: false,
  });
  const program = path.join(folder, 'releases.mjs');
  await writeFile(program, outputFiles[0]?.text ?? '');
  const { plantDifferences, renderSite } = await import(pathToFileURL(program).href);
  const sample = path.join(folder, 'sample');
  const silent = () => undefined;
  await renderSite({
    root: path.join(repoRoot, 'src/localService/sample/docs'),
    siteHost: 'sample.localhost',
    signal: new AbortController().signal,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    write: async (/** @type {{ path: string, content: string }} */ file) => {
      await mkdir(path.dirname(path.join(sample, file.path)), { recursive: true });
      await writeFile(path.join(sample, file.path), file.content);
    },
    onProgress: silent,
  });
  await plantDifferences(
    sample,
    path.join(folder, releases.before),
    path.join(folder, releases.after),
  );
}

/**
 * Names a folder in VS Code's own dialog, which holds a path. It puts its own path back while it lists a
 * folder, so both is done again until it closes.
 *
 * @param {Page} page
 * @param {string} folder
 */
async function nameFolder(page, folder) {
  const input = page.locator('.quick-input-widget input').first();
  const path = async () => ((await input.isVisible()) ? input.inputValue() : '');
  const end = Date.now() + ACTION_LIMIT_MS;
  while (!(await path()).startsWith('/') && Date.now() < end) await page.waitForTimeout(100);
  while (Date.now() < end) {
    const value = await path();
    if (!value.startsWith('/')) return;
    if (value.replace(/\/$/, '') === folder) await input.press('Enter');
    else await input.fill(folder);
    await page.waitForTimeout(scaledMs(700));
  }
}

/** Folds the chat in the side bar, or opens it again. @param {Page} page */
async function foldChat(page) {
  await page.locator('.pane-header[aria-label*="Chat"]').click({ timeout: ACTION_LIMIT_MS });
}

/**
 * Compares two releases and opens a changed page. Only README shows this picture.
 *
 * @param {Window} window
 * @param {string} folder of the releases
 */
async function compareReleases(window, folder) {
  const { page } = window;
  await page.keyboard.press('Escape');
  await runCommand(window, 'command.compareBundles.title');
  const rows = page.locator('.quick-input-list .monaco-list-row');
  for (const release of [releases.after, releases.before]) {
    await rows.nth(1).waitFor({ timeout: ACTION_LIMIT_MS });
    await rows.last().click();
    await nameFolder(page, path.join(folder, release));
  }
  const tree = page.locator('.pane:has(> .pane-header[aria-label*="Comparison"]) .monaco-list-row');
  await tree.first().waitFor({ timeout: ACTION_LIMIT_MS });
  await foldChat(page);
  await tree.nth(2).click({ timeout: ACTION_LIMIT_MS });
  await tree.filter({ hasText: 'idempotency' }).first().click({ timeout: ACTION_LIMIT_MS });
  await page
    .locator('.monaco-diff-editor .line-insert')
    .first()
    .waitFor({ timeout: ACTION_LIMIT_MS });
}

/** Part of README's picture of an export that the walkthrough shows, in its pixels. */
const exportsClip = { x: 96, y: 75, width: 940, height: 445 };
/** Width of that part in the walkthrough. */
const EXPORTS_WIDTH = 560;

/** Cuts the picture of the export out of README's. @param {Page} painter */
async function cutExports(painter) {
  for (const theme of Object.keys(themes)) {
    const file = `exports${theme === 'light' ? '' : `-${theme}`}.png`;
    const png = await readFile(path.join(repoRoot, 'docs/images', file));
    const webp = await toWebp(painter, png, EXPORTS_WIDTH / exportsClip.width, exportsClip);
    await writeFile(path.join(mediaFolder, `export-${theme}.webp`), webp);
    console.log(`export-${theme}: ${webp.length} bytes`);
  }
}

/** Scales and encodes a picture with the browser that took it. @param {Page} page @param {Buffer} png @param {number} factor @param {Clip} [clip] */
async function toWebp(page, png, factor, clip) {
  const source = `data:image/png;base64,${png.toString('base64')}`;
  const encoded = await page.evaluate(
    async ({ url, scale, quality, part }) => {
      const { document, Image } = globalThis;
      const image = new Image();
      image.src = url;
      await image.decode();
      const { x, y, width, height } = part ?? {
        x: 0,
        y: 0,
        width: image.width,
        height: image.height,
      };
      const canvas = document.createElement('canvas');
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      const context = canvas.getContext('2d');
      if (!context) throw new Error('no canvas');
      context.imageSmoothingQuality = 'high';
      context.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
      return canvas.toDataURL('image/webp', quality);
    },
    { url: source, scale: factor, quality: WEBP_QUALITY, part: clip },
  );
  return Buffer.from(encoded.slice(encoded.indexOf(',') + 1), 'base64');
}

/**
 * Takes a picture of the window in each theme.
 *
 * @param {Page} page
 * @param {import('./codeServer.mjs').CodeServer} server
 * @param {Clip} clip
 * @returns {AsyncGenerator<{ theme: string, png: Buffer, part: Buffer }>} the whole window, and a part
 */
async function* inThemes(page, server, clip) {
  for (const [theme, { name, kind }] of Object.entries(themes)) {
    await server.changeSettings({ 'workbench.colorTheme': name });
    // What the pointer is on has a tooltip or another color.
    await page.mouse.move(VIEWPORT.width - 2, VIEWPORT.height - 2);
    await page.locator(`.monaco-workbench.${kind}`).waitFor({ timeout: ACTION_LIMIT_MS });
    // The panel and the icons take the colors on a little later, and nothing tells when.
    await page.waitForTimeout(scaledMs(2000));
    const png = await page.screenshot({ caret: 'initial' });
    yield { theme, png, part: await page.screenshot({ caret: 'initial', clip }) };
  }
}

const startServer = async (settings = {}) =>
  startCodeServer({
    installed: await ensureCodeServer(),
    env: {
      ...process.env,
      EXTENSIONS_GALLERY: '{}',
    },
    settings: {
      'editor.minimap.enabled': false,
      'workbench.statusBar.visible': false,
      'workbench.layoutControl.enabled': false,
      'window.commandCenter': false,
      'breadcrumbs.enabled': false,
      'chat.disableAIFeatures': true,
      ...settings,
    },
  });

/** @param {Language} language @returns {Promise<Record<string, string>>} the titles of the manifest */
async function titlesIn(language) {
  const suffix = language === 'en' ? '' : `.${language}`;
  return JSON.parse(await readFile(path.join(repoRoot, `package.nls${suffix}.json`), 'utf8'));
}

/** @param {Language} language */
async function takePictures(language) {
  const suffix = language === 'en' ? '' : `.${language}`;
  const titles = await titlesIn(language);
  const workspace = path.join(await makeTempFolder('docs-assistant-pictures'), 'parcels');
  const sample = path.join(repoRoot, 'src/localService/sample/workspace');
  await cp(sample, workspace, { recursive: true });
  const server = await startServer();
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
    await page.addStyleTag({ content: '.notifications-toasts { display: none !important; }' });
    const painter = await context.newPage();
    if (language === 'en') await cutExports(painter);
    if (language === 'en') {
      const folder = await makeTempFolder('docs-assistant-releases');
      await makeReleases(folder);
      await page.setViewportSize(COMPARISON_VIEWPORT);
      await compareReleases({ page, language, titles }, folder);
      const whole = { x: 0, y: 0, ...COMPARISON_VIEWPORT };
      for await (const { theme, png } of inThemes(page, server, whole)) {
        const file = `comparison${theme === 'light' ? '' : `-${theme}`}.png`;
        await writeFile(path.join(repoRoot, 'docs/images', file), png);
      }
      await page.setViewportSize(VIEWPORT);
      await foldChat(page);
      await runCommand({ page, language, titles }, 'command.closeComparison.title');
      await page.keyboard.press('Control+K');
      await page.keyboard.press('Control+W');
    }
    for (const [name, act] of Object.entries(steps)) {
      await page.bringToFront();
      const clip = await act({ page, language, titles });
      for await (const { theme, png, part } of inThemes(page, server, clip)) {
        const file = `${name}-${theme}${suffix}`;
        await writeFile(path.join(outFolder, `${file}.png`), png);
        await writeFile(path.join(outFolder, `${file}-part.png`), part);
        // Those of one language ship, because the package has no room for more.
        if (language !== 'en') continue;
        const webp = await toWebp(painter, part, WALKTHROUGH_SCALE / SCALE);
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
  }
}

/** Docs whose page about keys lost a section since the release before. */
const handbook = {
  'docs-questions.yaml': `questions:
  - question: How large can an upload be?
    pages: limits
    contains: 45 megabytes

  - question: How do I rotate a key?
    pages: keys
    contains: parcels rotate
`,
  'limits.md': '# Limits\n\nAn upload can be at most 45 megabytes large.\n',
  'keys.md': '# Keys\n\nA key opens the API. Keep it secret.\n',
};
const handbookBefore = {
  'limits.html': '<h1>Limits</h1><p>An upload can be at most 45 megabytes large.</p>',
  'keys.html':
    '<h1>Keys</h1><h2>Rotate a key</h2><p>Rotate a key by <code>parcels rotate</code>.</p>',
};

/** Takes the picture of docs questions in the Test Explorer, which only README shows. */
async function takeQuestions() {
  const titles = await titlesIn('en');
  const folder = await makeTempFolder('docs-assistant-pictures');
  const [workspace, before] = [path.join(folder, 'handbook'), path.join(folder, releases.before)];
  await mkdir(workspace);
  await mkdir(before);
  for (const [name, text] of Object.entries(handbook))
    await writeFile(path.join(workspace, name), text);
  for (const [name, main] of Object.entries(handbookBefore)) {
    const text = `<!doctype html><html lang="en"><title>${name}</title><main>${main}</main></html>`;
    await writeFile(path.join(before, name), text);
  }
  // The results are at the items and in the gutter. The panel would hide the questions.
  const server = await startServer({ 'testing.automaticallyOpenTestResults': 'neverOpen' });
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({
      viewport: COMPARISON_VIEWPORT,
      deviceScaleFactor: SCALE,
    });
    const page = await context.newPage();
    await page.goto(server.openUrl(workspace, { extensionDevelopmentPath: repoRoot }));
    await page.addStyleTag({ content: '.notifications-toasts { display: none !important; }' });
    const file = page.locator('.explorer-folders-view .monaco-list-row', {
      hasText: 'docs-questions.yaml',
    });
    await file.dblclick({ timeout: ACTION_LIMIT_MS });
    await page
      .locator('.activitybar .action-label[aria-label^="Testing"]')
      .click({ timeout: ACTION_LIMIT_MS });
    const rows = page.locator('.test-explorer .monaco-list-row');
    await rows.locator('.monaco-tl-twistie').first().click({ timeout: ACTION_LIMIT_MS });
    await rows.nth(2).waitFor({ timeout: ACTION_LIMIT_MS });
    await widenSideBar(page);
    await runCommand({ page, language: 'en', titles }, 'command.compareQuestions.title');
    const choices = page.locator('.quick-input-list .monaco-list-row');
    await choices.nth(1).waitFor({ timeout: ACTION_LIMIT_MS });
    await choices.last().click();
    await nameFolder(page, before);
    await rows
      .filter({ hasText: `lost since ${releases.before}` })
      .waitFor({ timeout: ACTION_LIMIT_MS });
    const viewport = { ...COMPARISON_VIEWPORT, height: 320 };
    await page.setViewportSize(viewport);
    const whole = { x: 0, y: 0, ...viewport };
    for await (const { theme, png } of inThemes(page, server, whole)) {
      const name = `questions${theme === 'light' ? '' : `-${theme}`}.png`;
      await writeFile(path.join(repoRoot, 'docs/images', name), png);
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

const outFolder = path.join(repoRoot, 'out/pictures');
const mediaFolder = path.join(repoRoot, 'media/walkthrough');

stopAllOnExit();
// `--only` names a language, or `questions`.
const { values } = parseArgs({ options: { only: { type: 'string' } } });
for (const folder of [outFolder, mediaFolder]) await mkdir(folder, { recursive: true });
for (const language of /** @type {Language[]} */ (Object.keys(questions))) {
  if (values.only === undefined || values.only === language) await takePictures(language);
}
if (values.only === undefined || values.only === 'questions') await takeQuestions();
await stopAll();
