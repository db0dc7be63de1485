// @ts-check
/**
 * `npm run pictures`: takes the pictures of README and of the walkthrough, of the extension as it is built, in
 * light and dark. A real VS Code shows it on the sample workspace. `--only chat` takes one group of them. With
 * `pngquant` on the PATH, README's take a quarter of the space.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { takeChat, takeInstalled, takeWritten } from './chatPictures.mjs';
import { takeExports } from './exportPictures.mjs';
import { imagesFolder } from './pictureWindow.mjs';
import { stopAll, stopAllOnExit } from './processes.mjs';
import { takeComparison, takeQuestions } from './releasePictures.mjs';
import { SetupError } from './setup.mjs';
import { takeWalkthrough } from './walkthroughPictures.mjs';

/** The walkthrough shows a part of the picture of an export, so it comes last. */
const groups = {
  chat: takeChat,
  installed: takeInstalled,
  written: takeWritten,
  exports: takeExports,
  comparison: takeComparison,
  questions: takeQuestions,
  en: () => takeWalkthrough('en'),
  de: () => takeWalkthrough('de'),
};

stopAllOnExit();
const start = Date.now();
const { values } = parseArgs({ options: { only: { type: 'string' } } });
const names = Object.keys(groups);
if (values.only !== undefined && !names.includes(values.only))
  throw new SetupError(`--only ${values.only}: the groups are ${names.join(', ')}.`);
for (const [name, take] of Object.entries(groups))
  if (values.only === undefined || values.only === name) await take();
await stopAll();
const all = (await readdir(imagesFolder)).map((name) => path.join(imagesFolder, name));
// Shrinking an image again would lose more of it.
const images = all.filter((image) => statSync(image).mtimeMs >= start);
const shrunk = spawnSync('pngquant', ['--force', '--skip-if-larger', '--ext', '.png', ...images]);
if (shrunk.error) console.log('Not shrunk: pngquant is not installed.');
