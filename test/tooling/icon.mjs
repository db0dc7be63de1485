// @ts-check
/** `node test/tooling/icon.mjs`: Draws `media/icon.png`, 256 pixels wide, from `media/icon.svg`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { launchChromium } from './chromium.mjs';
import { repoRoot } from './paths.mjs';

const SIZE = 256;

const svg = await readFile(path.join(repoRoot, 'media/icon.svg'), 'utf8');
const browser = await launchChromium({ headless: true });
const page = await browser.newPage({ viewport: { width: SIZE, height: SIZE } });
await page.setContent(`<body style="margin:0;background:transparent">${svg}</body>`);
await page.screenshot({ path: path.join(repoRoot, 'media/icon.png'), omitBackground: true });
await browser.close();
