// @ts-check
/** README's pictures of a static export. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startLocalService } from './localService.mjs';
import { repoRoot } from './paths.mjs';
import {
  ACTION_LIMIT_MS,
  chatOf,
  choose,
  copySampleWorkspace,
  foldChat,
  hideNotifications,
  nameFile,
  runCommand,
  takeImage,
  widenSideBar,
  withWindow,
} from './pictureWindow.mjs';
import { makeTempFolder } from './tempFolders.mjs';

const VIEWPORT = { width: 1200, height: 780 };
/** Right edge of the side bar, in CSS pixels. */
const SIDE_BAR_END = 520;
const limit = { timeout: ACTION_LIMIT_MS };

/** Breaks links of a page and makes another load from other hosts. @param {string} site its folder */
async function spoil(site) {
  for (const [page, html] of [
    [
      'v2/en/webhooks.html',
      '<a href="retry-policy.html">x</a><a href="index.html#signing-keys">x</a>',
    ],
    [
      'v2/en/quickstart.html',
      '<img src="https://cdn.example.com/logo.png" alt=""><script src="https://analytics.example.com/a.js"></script>',
    ],
  ]) {
    const file = path.join(site, page ?? '');
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('</main>', `${html}</main>`));
  }
}

/** Milliseconds that each page takes at least, so that the export runs while its picture is taken. */
const PAGE_MS = 800;

/** Takes the pictures of a running export, of the report of *Check Bundle* and of a preview. */
export async function takeExports() {
  // The path of this folder is in the picture.
  const folder = process.env.EXPORTS_FOLDER ?? (await makeTempFolder('exports'));
  await mkdir(folder, { recursive: true });
  const archive = path.join(folder, 'docs.example.com.tar.gz');
  const { site, stop } = await startLocalService(path.join(repoRoot, 'dist'), {
    exportPaceMs: PAGE_MS,
  });
  const options = {
    workspace: await copySampleWorkspace(),
    viewport: VIEWPORT,
    env: { DOCS_ASSISTANT_LOCAL_SERVICE: JSON.stringify(site) },
  };
  try {
    await withWindow(options, async (window) => {
      const { page } = window;
      await hideNotifications(page);
      await runCommand(window, 'command.focusChat.title');
      await chatOf(page).locator('.site-label', { hasText: 'Sample docs' }).waitFor(limit);
      await widenSideBar(page, SIDE_BAR_END);

      await foldChat(page);
      await page.locator('.pane-header[aria-label*="Exports"]').click(limit);
      await runCommand(window, 'command.exportSite.title');
      await choose(page, 'the local docs service');
      const rows = page.locator(
        '.pane:has(> .pane-header[aria-label*="Exports"]) .monaco-list-row',
      );
      await rows.filter({ hasText: 'pages' }).first().waitFor(limit);
      await rows.first().locator('.monaco-tl-twistie').click(limit);
      await rows
        .filter({ hasText: /[2-5]\d %/ })
        .first()
        .waitFor(limit);
      await takeImage(window, 'exports');

      await rows
        .filter({ hasText: 'completed' })
        .first()
        .waitFor({ timeout: 2 * ACTION_LIMIT_MS });
      await runCommand(window, 'command.downloadBundle.title');
      await nameFile(page, archive);
      await rows.filter({ hasText: 'SHA-256' }).waitFor(limit);
      await runCommand(window, 'command.openBundle.title');
      await choose(page, 'docs.example.com.tar.gz');
      await choose(page, 'Next to the archive');
      await rows.filter({ hasText: 'Folder' }).waitFor(limit);
      await spoil(path.join(folder, 'docs.example.com'));
      await runCommand(window, 'command.checkBundle.title');
      await choose(page, 'docs.example.com');
      await page.locator('.tab', { hasText: 'Check of' }).waitFor(limit);
      await rows.filter({ hasText: 'broken' }).first().waitFor(limit);
      await page.keyboard.press('Control+Shift+M');
      await page.locator('.markers-panel .monaco-list-row').nth(5).waitFor(limit);
      await takeImage(window, 'report');

      await page.keyboard.press('Control+J');
      await page.keyboard.press('Control+K');
      await page.keyboard.press('Control+W');
      await runCommand(window, 'command.previewBundle.title');
      await choose(page, 'docs.example.com');
      await rows.filter({ hasText: 'Preview of' }).waitFor(limit);
      await page.locator('.tab', { hasText: 'Simple Browser' }).waitFor(limit);
      await takeImage(window, 'preview');
    });
  } finally {
    await stop();
  }
}
