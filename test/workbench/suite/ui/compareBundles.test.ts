import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { exportCommands, exportViews } from '../../../../src/common/contributions';
import { bundleComparisonSchema } from '../../../../src/export/compare/comparison';
import { renderSite } from '../../../../src/service/export/site/siteRenderer';
import {
  differencesOf,
  plantDifferences,
  plantedDifferences,
} from '../../../builders/spoiledBundle';
import { RecordingLog } from '../../../fakes/recordingLog';
import { until } from '../../asking';
import { begin, choose, clearNotifications, nameFile, temporaryFolder } from '../../exporting';
import { takeScreenshot, workbench } from '../../pageDriver';

/** Rows of the *Comparison* tree. */
const row = '.pane:has(> .pane-header[aria-label*="Comparison"]) .monaco-list-row';
/** Header of our chat, which folds it. VS Code's own chat is in the other side bar. */
const chatHeader = '.part.sidebar .pane-header[aria-label*="Chat"]';

/** Two releases of the sample docs, compared once: each test looks at the same comparison. */
describe('a comparison of two bundles', () => {
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
  let openEditors: number;

  const inFolder = (name: string): string => path.join(temporary.folder, name);

  before(async () => {
    temporary = await temporaryFolder();
    openEditors = tabs().length;
    await renderSample(inFolder('sample'));
    await plantDifferences(inFolder('sample'), inFolder('before'), inFolder('after'));
    const nodes = ['after', 'before'].map((name) => ({ kind: 'site', folder: inFolder(name) }));
    const compared = begin(exportCommands.compareBundles, nodes[0], nodes);
    // Nothing says which of two folders is the earlier one.
    await choose('before');
    await compared;
    // A list draws only the rows that fit into its view.
    await foldChat('true');
    await workbench.waitFor(row, { nth: 8 });
  });

  after(async () => {
    await vscode.commands.executeCommand(exportCommands.closeComparison);
    await foldChat('false');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await clearNotifications();
    await temporary.remove();
  });

  it('lists exactly the planted differences in its tree, what needs work first', async () => {
    const { broken, lost, changed, removed, added, moved, mended, restyled } = plantedDifferences;
    const { addedAssets, removedAssets, changedAssets } = plantedDifferences;
    const files = [...addedAssets, ...removedAssets, ...changedAssets];
    const sections = await workbench.texts(row);
    assert.deepEqual(
      sections.map((text) => text.replace(/\s*(\d+)\s*$/, ' $1').trim()),
      [
        `Links that broke ${broken.length}`,
        `Lost URLs ${lost.length}`,
        `Changed pages ${changed.length}`,
        `Removed pages ${removed.length}`,
        `Added pages ${added.length}`,
        `Moved pages ${moved.length}`,
        `Links that were mended ${mended.length}`,
        `Pages that changed only around their text ${restyled.length}`,
        `Other files ${files.length}`,
      ],
    );
    await open('Changed pages');
    const names = changed.map((page) => page.replace(/(^|\/)index\.html .*|\.html .*/, '') || '/');
    const shown = await workbench.texts(`${row}[aria-level="2"] .label-name`);
    assert.deepEqual(shown, names);
    const label = await workbench.attribute(row, 'aria-label', { hasText: 'idempotency' });
    assert.match(
      label ?? '',
      /^Changed page .*v2\/en\/idempotency.*lines added: 1, lines removed: 1/,
    );
    await takeScreenshot('comparison-tree');
  });

  it('opens a changed page as readable Markdown of both sides in the diff editor', async () => {
    await open('Changed pages');
    await workbench.click(row, { hasText: 'idempotency', nth: 0 });
    await until(
      () =>
        vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff,
    );
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.equal(tab?.label, 'v2/en/idempotency (before ↔ after)');
    const { original, modified } = tab.input as vscode.TabInputTextDiff;
    const [before, after] = await Promise.all([textOf(original), textOf(modified)]);
    assert.equal(before.languageId, 'markdown');
    assert.match(before.text, /^# Idempotency/m);
    assert.doesNotMatch(before.text, /<\/?(?:p|div|nav|article)\b/);
    const sentence = 'A key is remembered for 24 hours';
    assert.ok(before.text.includes(sentence));
    assert.equal(before.text.replace(sentence, sentence.replace('24', '48')), after.text);
    await takeScreenshot('comparison-diff');
  });

  it('opens a removed page as the one text that there is', async () => {
    await open('Removed pages');
    await workbench.click(row, { hasText: 'troubleshooting', nth: 0 });
    await until(() => /troubleshooting \(before\)\.md$/.test(activePath()));
    const { text } = await textOf(vscode.window.activeTextEditor?.document.uri ?? assert.fail());
    assert.match(text, /^# Troubleshooting/m);
  });

  it('opens the place of a broken link in the page that has it', async () => {
    await open('Links that broke');
    await workbench.click(row, { hasText: 'troubleshooting.html', nth: 0 });
    await until(() => activePath().startsWith(inFolder('after')));
    const { document, selection } = vscode.window.activeTextEditor ?? assert.fail();
    assert.match(document.lineAt(selection.active.line).text, /troubleshooting\.html/);
  });

  it('shows all changed texts in one editor', async () => {
    await vscode.commands.executeCommand(exportCommands.showAllChanges);
    await until(() => activeLabel().startsWith('after compared with before'));
    await workbench.waitFor('.multiDiffEntry', { nth: 1 });
  });

  it('shows the planted differences as a document', async () => {
    await vscode.commands.executeCommand(exportCommands.showComparisonReport);
    await until(() => documentText() !== undefined);
    const text = documentText() ?? '';
    for (const page of [...plantedDifferences.added, ...plantedDifferences.removed])
      assert.ok(text.includes(`\`${page}\``), `${page} is not in the document`);
    assert.match(text, /24 hours[^]*48 hours/);
    await takeScreenshot('comparison-document');
  });

  it('copies and saves exactly the planted differences as JSON', async () => {
    await vscode.commands.executeCommand(exportCommands.copyComparison);
    const copied = await vscode.env.clipboard.readText();
    const file = inFolder('comparison.json');
    const saved = begin(exportCommands.saveComparison);
    await nameFile(file);
    await saved;
    assert.equal(await readFile(file, 'utf8'), copied);
    const comparison = v.parse(bundleComparisonSchema, JSON.parse(copied));
    assert.deepEqual(differencesOf(comparison), plantedDifferences);
  });

  it('leaves when it is closed', async () => {
    await vscode.commands.executeCommand(exportCommands.closeComparison);
    await workbench.waitFor(row, {}, 'detached');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await until(() => tabs().length <= openEditors);
  });

  /** Opens one section and closes the others, so that its rows are drawn. */
  async function open(section: string): Promise<void> {
    await vscode.commands.executeCommand(`${exportViews.comparison}.focus`);
    await vscode.commands.executeCommand('list.collapseAll');
    const title = `${row}[aria-level="1"]`;
    await workbench.click(title, { hasText: section, nth: 0 });
    await workbench.waitFor(`${row}[aria-level="2"]`, { nth: 0 });
  }

  /** Folds the panel if it is open, or opens it again. */
  async function foldChat(isOpen: 'true' | 'false'): Promise<void> {
    if ((await workbench.attribute(chatHeader, 'aria-expanded')) === isOpen)
      await workbench.click(chatHeader);
  }

  function documentText(): string | undefined {
    return vscode.workspace.textDocuments
      .find(({ uri }) => uri.scheme === 'docs-assistant-comparison')
      ?.getText();
  }
});

const tabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
const activeLabel = (): string => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
const activePath = (): string => vscode.window.activeTextEditor?.document.uri.path ?? '';

async function textOf(uri: vscode.Uri): Promise<{ text: string; languageId: string }> {
  const document = await vscode.workspace.openTextDocument(uri);
  return { text: document.getText(), languageId: document.languageId };
}

/** Renders the sample docs of the package as the local docs service exports them. */
async function renderSample(folder: string): Promise<void> {
  const extension = vscode.extensions.getExtension('docs-assistant.docs-assistant');
  const root = path.join(extension?.extensionPath ?? assert.fail(), 'dist', 'sampleDocs');
  await renderSite({
    root,
    siteHost: 'sample.localhost',
    signal: new AbortController().signal,
    log: new RecordingLog(),
    write: async ({ path: file, content }) => {
      await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
      await writeFile(path.join(folder, file), content);
    },
    onProgress: () => undefined,
  });
}
