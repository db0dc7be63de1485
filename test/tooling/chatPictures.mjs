// @ts-check
/** README's pictures of the chat. */
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import esbuild from 'esbuild';
import { fetchWorkspace, readPackages } from '../bench/installed/fetchPackages.mjs';
import { repoRoot } from './paths.mjs';
import {
  ACTION_LIMIT_MS,
  chatOf,
  choose,
  copySampleWorkspace,
  hideNotifications,
  runCommand,
  selectLines,
  takeImage,
  widenSideBar,
  withWindow,
} from './pictureWindow.mjs';
import { makeTempFolder } from './tempFolders.mjs';

/** @typedef {import('./pictureWindow.mjs').PictureWindow} PictureWindow */

const VIEWPORT = { width: 1200, height: 780 };
/** Right edge of the side bar, in CSS pixels. */
const SIDE_BAR_END = 600;
const limit = { timeout: ACTION_LIMIT_MS };
const rowSelector = '.quick-input-list .monaco-list-row';

/** @param {PictureWindow} window */
async function openSampleDocs(window) {
  const { page } = window;
  await runCommand(window, 'command.chooseDocs.title');
  await choose(page, 'Sample Docs');
  await chatOf(page).locator('.composer textarea').waitFor(limit);
  await chatOf(page).locator('.site-label', { hasText: 'Sample Docs' }).waitFor(limit);
  await widenSideBar(page, SIDE_BAR_END);
}

/** Sends the question in a new thread and waits for the reply. @param {PictureWindow} window @param {string} question */
async function ask({ page }, question) {
  const chat = chatOf(page);
  const composer = chat.locator('.composer textarea').first();
  await composer.waitFor(limit);
  await composer.fill(question);
  await composer.press('Enter');
  await chat.locator('article.question', { hasText: question }).waitFor(limit);
  await chat.locator('article.reply[aria-busy="false"] .sources').first().waitFor(limit);
  await chat.locator('.thread-scroller').evaluate((scroller) => scroller.scrollTo(0, 0));
}

/** Takes the pictures of an answer, of a source, of a replacement and of the history. */
export async function takeChat() {
  await withWindow(
    { workspace: await copySampleWorkspace(), viewport: VIEWPORT },
    async (window) => {
      const { page } = window;
      const chat = chatOf(page);
      await hideNotifications(page);
      await openSampleDocs(window);

      await ask(window, 'How do I verify the signature of a webhook?');
      await runCommand(window, 'command.newThread.title');
      await ask(window, 'Which rate limits are there for an API key?');
      await runCommand(window, 'command.newThread.title');
      await selectLines(page, 'createShipment.ts', '25', 12);
      await runCommand(window, 'command.ask.title');
      await chat.locator('.composer .chip').waitFor(limit);
      await ask(window, 'What does the idempotency key do here?');
      await takeImage(window, 'answer');
      await takeImage(window, 'source', async () => {
        // A pointer that comes from outside of the view and rests does not point at a citation.
        await chat.locator('.composer').hover(limit);
        await chat.locator('article.reply .citation').first().hover(limit);
        await chat.locator('.source-card-quote').waitFor(limit);
        await chat.getByText('Open idempotency.md').waitFor(limit);
      });

      await runCommand(window, 'command.newThread.title');
      await selectLines(page, 'createShipment.ts', '53:14', 4);
      await runCommand(window, 'command.ask.title');
      await chat.locator('.composer .chip').waitFor(limit);
      await ask(window, 'How do the SDKs keep a key over their own retries?');
      const block = chat.locator('.reply .code-more').first();
      await block.click(limit);
      await chat.locator('.code-menu button', { hasText: 'Replace Selection' }).click(limit);
      await page.locator('.monaco-diff-editor .line-insert').first().waitFor(limit);
      await page.addStyleTag({ content: '.notifications-toasts { display: block !important; }' });
      await takeImage(window, 'replace');
      await page
        .locator('.notification-list-item .monaco-button', { hasText: 'Cancel' })
        .first()
        .click(limit);
      await page.addStyleTag({ content: '.notifications-toasts { display: none !important; }' });

      await page.locator('.pane-header:has(.codicon-history)').hover(limit);
      await page.locator('.pane-header .action-label.codicon-history').click(limit);
      await chat.locator('.history-search').fill('key', limit);
      await chat.locator('.history-excerpt mark').first().waitFor(limit);
      await takeImage(window, 'history');
    },
  );
}

/** Code that uses a package of {@link takeInstalled}'s workspace. */
const products = `import { useQuery } from '@tanstack/react-query';

async function loadProducts(shop: string): Promise<readonly string[]> {
  const response = await fetch(\`/api/\${shop}/products\`);
  return response.json();
}

export function useProducts(shop: string) {
  return useQuery({
    queryKey: ['products', shop],
    queryFn: () => loadProducts(shop),
    staleTime: 60_000,
  });
}
`;

/** Takes the picture of an answer from packages that npm has installed. */
export async function takeInstalled() {
  const { workspaces } = await readPackages();
  const storefront = workspaces.find(({ name }) => name === 'storefront');
  if (!storefront) throw new Error('There is no workspace of the name storefront');
  const workspace = path.join(await makeTempFolder('docs-assistant-pictures'), 'storefront');
  await cp(await fetchWorkspace(storefront), workspace, { recursive: true });
  await mkdir(path.join(workspace, 'src'));
  await writeFile(path.join(workspace, 'src', 'products.ts'), products);
  await withWindow({ workspace, viewport: VIEWPORT }, async (window) => {
    const { page } = window;
    const chat = chatOf(page);
    await hideNotifications(page);
    await runCommand(window, 'command.askInstalledPackages.title');
    await chat.locator('.site-label', { hasText: 'Installed Packages' }).waitFor(limit);
    await widenSideBar(page, SIDE_BAR_END);
    await selectLines(page, 'products.ts', '9', 5);
    await runCommand(window, 'command.ask.title');
    await chat.locator('.composer .chip').waitFor(limit);
    await ask(window, 'What does staleTime do, and what is its default?');
    await takeImage(window, 'installed');
  });
}

/** Reply of the model. One statement says what the cited page doesn't. */
const written = `Compare the \`Parcelwren-Signature\` header with a signature that you compute yourself:

- Every delivery has a \`Parcelwren-Signature\` header with a time and a signature [1].
- Use the raw body of the request, before a framework parses it [1].
- Reject a delivery whose time is more than 15 minutes old [1].
`;

/** Starts an endpoint with a model that always writes the same. */
async function startModel() {
  const { outputFiles } = await esbuild.build({
    stdin: {
      contents: `export { says, startModelEndpoint } from './test/fakes/modelEndpoint';`,
      resolveDir: repoRoot,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const program = path.join(await makeTempFolder('docs-assistant-model'), 'model.mjs');
  await writeFile(program, outputFiles[0]?.text ?? '');
  const { says, startModelEndpoint } = await import(pathToFileURL(program).href);
  const endpoint = await startModelEndpoint();
  endpoint.reply = says(written);
  endpoint.queries = says('{"queries": ["verify webhook signature"]}');
  endpoint.models = (/** @type {import('node:http').ServerResponse} */ response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data: [{ id: 'llama3.2', max_model_len: 8192 }] }));
  };
  return endpoint;
}

/** Takes the pictures of a reply that a model wrote, and of the choice of docs. */
export async function takeWritten() {
  const endpoint = await startModel();
  try {
    await withWindow(
      { workspace: await copySampleWorkspace(), viewport: VIEWPORT },
      async (window) => {
        const { page } = window;
        await hideNotifications(page);
        await openSampleDocs(window);
        await selectLines(page, 'createShipment.ts', '1', 1);
        const box = page.locator('.quick-input-widget');
        const input = box.locator('input').first();
        await runCommand(window, 'command.answerWith.title');
        await choose(page, 'An OpenAI-Compatible Endpoint');
        await box.filter({ hasText: 'URL of the endpoint' }).waitFor(limit);
        // A model on this machine needs no key.
        await input.fill(endpoint.baseUrl);
        await input.press('Enter');
        await choose(page, 'llama3.2');
        await box.filter({ hasText: 'search by words only' }).waitFor(limit);
        await choose(page, 'None');
        const chat = chatOf(page);
        await runCommand(window, 'command.focusChat.title');
        await chat.locator('.site-answers', { hasText: 'llama3.2' }).waitFor(limit);
        await ask(window, 'How do I verify the signature of a webhook?');
        await chat.locator('article.reply .unproven').first().waitFor(limit);
        await takeImage(window, 'written');

        await runCommand(window, 'command.chooseDocs.title');
        await page.locator(rowSelector, { hasText: 'in use' }).waitFor(limit);
        await takeImage(window, 'choose-docs');
      },
    );
  } finally {
    await endpoint.stop();
  }
}
