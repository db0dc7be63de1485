// @ts-check
/** The pictures of the walkthrough. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { repoRoot } from './paths.mjs';
import {
  ACTION_LIMIT_MS,
  SCALE,
  chatOf,
  copySampleWorkspace,
  hideNotifications,
  imageName,
  imagesFolder,
  inThemes,
  outFolder,
  runCommand,
  selectLines,
  themeNames,
  widenSideBar,
  withWindow,
} from './pictureWindow.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./pictureWindow.mjs').Clip} Clip */
/** @typedef {import('./pictureWindow.mjs').Language} Language */
/** @typedef {import('./pictureWindow.mjs').PictureWindow} PictureWindow */

const VIEWPORT = { width: 960, height: 600 };
/** Right edge of the side bar, in CSS pixels. */
const SIDE_BAR_END = 470;
const MARGIN = 8;
/** Pixels of a walkthrough's picture per CSS pixel. README's have more. */
const WALKTHROUGH_SCALE = 1;
const WEBP_QUALITY = 0.4;

const mediaFolder = path.join(repoRoot, 'media/walkthrough');

/** Questions, which are content and not translated texts. @type {Record<Language, string>} */
const questions = {
  en: 'How do I create a shipment?',
  de: 'Wie lege ich eine Sendung an?',
};

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
 * Steps before each picture, in this order. Each returns the part of the window that the
 * walkthrough shows.
 *
 * @type {Record<string, (window: PictureWindow, language: Language) => Promise<Clip>>}
 */
const steps = {
  docs: async (window) => {
    const { page } = window;
    await runCommand(window, 'command.chooseDocs.title');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    await rows.nth(3).waitFor({ timeout: ACTION_LIMIT_MS });
    return around(page.locator('.quick-input-widget'));
  },
  ask: async (window, language) => {
    const { page } = window;
    await page.locator('.quick-input-list .monaco-list-row').last().click();
    await chatOf(page).locator('.composer textarea').waitFor({ timeout: ACTION_LIMIT_MS });
    await selectLines(page, 'createShipment.ts', '15', 7);
    await runCommand(window, 'command.ask.title');
    const chat = chatOf(page);
    const composer = chat.locator('.composer textarea').first();
    await composer.waitFor({ timeout: ACTION_LIMIT_MS });
    await widenSideBar(page, SIDE_BAR_END);
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

/** Part of README's picture of an export that the walkthrough shows, in its pixels. */
const exportsClip = { x: 92, y: 0, width: 940, height: 465 };
/** Width of that part in the walkthrough. */
const EXPORTS_WIDTH = 560;

/** Cuts the picture of the export out of README's. @param {Page} painter */
async function cutExports(painter) {
  for (const theme of themeNames) {
    const png = await readFile(path.join(imagesFolder, imageName('exports', theme)));
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

/** Pictures of whole windows that README shows, by the step that they show. @type {Record<Language, Record<string, string>>} */
const imagesOf = { en: { agents: 'agents' }, de: { ask: 'answer' } };

/** @param {Language} language the pictures of English ship, because the package has no room for more */
export async function takeWalkthrough(language) {
  const suffix = language === 'en' ? '' : `.${language}`;
  for (const folder of [outFolder, mediaFolder]) await mkdir(folder, { recursive: true });
  const workspace = await copySampleWorkspace();
  const settings = { 'workbench.statusBar.visible': false };
  await withWindow({ workspace, viewport: VIEWPORT, language, settings }, async (window) => {
    const { page } = window;
    await hideNotifications(page);
    const painter = await page.context().newPage();
    if (language === 'en') await cutExports(painter);
    for (const [name, act] of Object.entries(steps)) {
      await page.bringToFront();
      const clip = await act(window, language);
      for await (const { theme, png, part } of inThemes(window, { clip })) {
        const file = `${name}-${theme}${suffix}`;
        await writeFile(path.join(outFolder, `${file}-part.png`), part);
        const image = imagesOf[language][name];
        if (image !== undefined)
          await writeFile(path.join(imagesFolder, imageName(image, theme, suffix)), png);
        if (language !== 'en') continue;
        const webp = await toWebp(painter, part, WALKTHROUGH_SCALE / SCALE);
        await page.bringToFront();
        await writeFile(path.join(mediaFolder, `${file}.webp`), webp);
        console.log(`${file}: ${webp.length} bytes`);
      }
    }
  });
}
