// @ts-check
/** README's pictures of what docs teams do: a comparison of two releases, and docs questions. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { repoRoot } from './paths.mjs';
import {
  ACTION_LIMIT_MS,
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

/** VS Code shows the sides of a diff next to each other, and messages at lines, if there is room. */
const COMPARISON_VIEWPORT = { width: 1320, height: 620 };
const QUESTIONS_VIEWPORT = COMPARISON_VIEWPORT;
/** Right edge of the side bar, in CSS pixels. */
const SIDE_BAR_END = 470;

/** Folders of two releases, whose names are in the picture of their comparison. */
const releases = { before: 'docs-2.3', after: 'docs-2.4' };

/** Renders the sample docs twice, with differences. @param {string} folder */
async function makeReleases(folder) {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `export { plantDifferences } from './test/builders/spoiledBundle';
        export { renderSite } from './src/service/export/site/siteRenderer';`,
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
    root: path.join(repoRoot, 'src/service/sample/docs'),
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

/** Takes the picture of a comparison of two releases, with the diff of a changed page. */
export async function takeComparison() {
  const folder = await makeTempFolder('docs-assistant-releases');
  await makeReleases(folder);
  const workspace = await copySampleWorkspace();
  const settings = { 'workbench.statusBar.visible': false };
  await withWindow({ workspace, viewport: COMPARISON_VIEWPORT, settings }, async (window) => {
    const { page } = window;
    await hideNotifications(page);
    await runCommand(window, 'command.compareBundles.title');
    const rows = page.locator('.quick-input-list .monaco-list-row');
    for (const release of [releases.after, releases.before]) {
      await rows.nth(1).waitFor({ timeout: ACTION_LIMIT_MS });
      await rows.last().click();
      await nameFile(page, path.join(folder, release));
    }
    const tree = page.locator(
      '.pane:has(> .pane-header[aria-label*="Comparison"]) .monaco-list-row',
    );
    await tree.first().waitFor({ timeout: ACTION_LIMIT_MS });
    await foldChat(page);
    await tree.nth(2).click({ timeout: ACTION_LIMIT_MS });
    await tree.filter({ hasText: 'idempotency' }).first().click({ timeout: ACTION_LIMIT_MS });
    await page
      .locator('.monaco-diff-editor .line-insert')
      .first()
      .waitFor({ timeout: ACTION_LIMIT_MS });
    await takeImage(window, 'comparison');
  });
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

/** Takes the picture of docs questions in the Test Explorer, which only docs/exports.md shows. */
export async function takeQuestions() {
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
  const settings = {
    'workbench.statusBar.visible': false,
    // The results are at the items and in the gutter. The panel would hide the questions.
    'testing.automaticallyOpenTestResults': 'neverOpen',
  };
  await withWindow({ workspace, viewport: QUESTIONS_VIEWPORT, settings }, async (window) => {
    const { page } = window;
    await hideNotifications(page);
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
    await widenSideBar(page, SIDE_BAR_END);
    await runCommand(window, 'command.compareQuestions.title');
    const choices = page.locator('.quick-input-list .monaco-list-row');
    await choices.nth(1).waitFor({ timeout: ACTION_LIMIT_MS });
    await choices.last().click();
    await nameFile(page, before);
    await rows
      .filter({ hasText: `lost since ${releases.before}` })
      .waitFor({ timeout: ACTION_LIMIT_MS });
    await page.setViewportSize({ ...QUESTIONS_VIEWPORT, height: 320 });
    await takeImage(window, 'questions');
  });
}
