import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { exportCommands } from '../../../../src/common/contributions';
import { answerPrompt, inWorkspace, quickInput, until } from '../../asking';
import { docsService } from '../../docsService';
import {
  begin,
  choose,
  clearNotifications,
  exportQuickly,
  exportRequests,
  exportRow,
  forgetExports,
  jobUnderWay,
  nameFile,
  notification,
  whenNotified,
  startExporting,
  startedJobId,
  stopExporting,
  takeAction,
  temporaryFolder,
} from '../../exporting';
import { closeTab, openTab, pressKey, tab, takeScreenshot, workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

const hint = '.quick-input-widget .quick-input-message';
const statusBar = '.statusbar-item';

/** One export from its key to its deployment: each step goes on from the one before. */
describe('a static export, the whole way', () => {
  let temporary: Awaited<ReturnType<typeof temporaryFolder>>;
  let folder: string;
  let archive: string;

  before(async () => {
    temporary = await temporaryFolder();
    folder = temporary.folder;
    archive = path.join(folder, 'site.tar.gz');
    await startExporting();
  });

  after(async () => {
    await stopExporting();
    await closeTab();
    await temporary.remove();
  });

  it('accepts only an admin key as an admin key', async () => {
    const { site } = suiteEnvironment();
    const done = begin(exportCommands.setAdminKey);
    await answerPrompt(site.key);
    await workbench.waitFor(hint, { hasText: 'This is an assistant key' });
    await answerPrompt('local_us_0123456789abcdef');
    await workbench.waitFor(hint, { hasText: 'another kind of key' });
    await answerPrompt(site.adminKey);
    await done;
    await whenNotified('Saved the admin key for 127.0.0.1');
    assert.equal((await exportRequests('POST', '/jobs')).length, 0, 'nothing is sent yet');
  });

  it('starts a job and shows its pages count up in the tree, the status bar and a notification', async () => {
    await docsService.queue(jobUnderWay({ status: 'rendering', progress: 42, pageCount: 16 }));
    const started = begin(exportCommands.exportSite);
    await choose('sample');
    await started;
    await workbench.waitFor(exportRow, { hasText: 'rendering', nth: 0 });
    const row = await workbench.text(exportRow, { hasText: 'rendering', nth: 0 });
    assert.match(row, /sample.*rendering.*42 %.*16 pages/s);
    await workbench.waitFor(statusBar, { hasText: 'Export 42 %', nth: 0 });
    await whenNotified('16 pages');
    await takeScreenshot('export-running');

    const [start] = await exportRequests('POST', '/v1/static-export/jobs');
    assert.deepEqual(start?.body, { domain: 'sample' });
    assert.equal(start.headers.authorization, `Bearer ${suiteEnvironment().site.adminKey}`);
  });

  it('goes on to the end when the service says so, and offers the bundle', async () => {
    await docsService.clearFaults();
    await whenNotified('The export of sample has completed');
    await workbench.waitFor(exportRow, { hasText: 'completed', nth: 0 });
    await workbench.waitFor(statusBar, { hasText: 'Export 42 %' }, 'detached');
  });

  it('downloads the bundle and says its SHA-256', async () => {
    await takeAction('has completed', 'Download Bundle');
    await nameFile(archive);
    await whenNotified('Downloaded ');
    const told = await workbench.text(notification, { hasText: 'Downloaded ', nth: 0 });
    const sha256 = createHash('sha256')
      .update(await readFile(archive))
      .digest('hex');
    assert.ok(told.includes(sha256), `another SHA-256 is told: ${told}`);
    const bundles = await exportRequests('POST', '/bundle');
    assert.equal(bundles.length, 1);
    assert.equal(bundles[0]?.bodyText, '', 'the API wants no body');
  });

  it('unpacks the bundle into a new folder', async () => {
    await takeAction('Downloaded ', 'Open Bundle');
    await choose('Next to the archive');
    await whenNotified('Unpacked ');
    assert.ok((await stat(path.join(folder, 'site', 'index.html'))).isFile());
  });

  it('checks the bundle, finds it self-contained and shows the report', async () => {
    await takeAction('Unpacked ', 'Check Bundle');
    await until(() => reportText() !== undefined);
    assert.match(reportText() ?? '', /Self-contained/i);
    assert.deepEqual(bundleProblems(), []);
    await workbench.waitFor(exportRow, { hasText: 'completed · self-contained', nth: 0 });
    await takeScreenshot('export-report');
  });

  it('lists what is spoiled in the report and in the Problems panel', async () => {
    const page = path.join(folder, 'site', '404.html');
    const whole = await readFile(page, 'utf8');
    await writeFile(
      page,
      whole.replace(
        '</body>',
        '<a href="/gone.html">x</a><img src="https://cdn.example.com/x.png"></body>',
      ),
    );
    await begin(exportCommands.checkBundle, siteNode());
    await until(() => bundleProblems().length > 0);
    const problems = bundleProblems();
    assert.deepEqual(
      problems.map(({ file }) => path.basename(file)),
      ['404.html', '404.html'],
    );
    assert.ok(problems.some(({ message }) => message.includes('gone.html')));
    assert.ok(problems.some(({ message }) => message.includes('cdn.example.com')));
    await workbench.waitFor(exportRow, { hasText: 'completed · 1 broken link', nth: 0 });
    await takeScreenshot('export-spoiled');
    await writeFile(page, whole);
  });

  it('saves the report as JSON', async () => {
    const file = path.join(folder, 'report.json');
    const saved = begin(exportCommands.saveReport, siteNode());
    await nameFile(file);
    await saved;
    const report = JSON.parse(await readFile(file, 'utf8')) as { schemaVersion: number };
    assert.equal(report.schemaVersion, 1);
  });

  it('adds search and answers that the preview shows, and takes them out again', async () => {
    const page = path.join(folder, 'site', 'index.html');
    const plain = await readFile(page, 'utf8');
    const added = begin(exportCommands.enhanceBundle, siteNode());
    await choose('The files of the site');
    await added;
    await whenNotified('Added search and answers to ');
    assert.match(await readFile(page, 'utf8'), /_docs-assistant\/assistant-/);
    await takeAction('Added search and answers to ', 'Preview Bundle');
    await workbench.waitFor(exportRow, { hasText: '127.0.0.1', nth: 0 });
    const row = await workbench.text(exportRow, { hasText: '127.0.0.1', nth: 0 });
    const host = /127\.0\.0\.1:\d+/.exec(row)?.[0] ?? assert.fail(row);
    assert.equal(await openTab(`http://${host}/`), 200);
    await tab.waitFor('docs-assistant-box button', { nth: 0 });
    await tab.press('body', '/');
    await tab.fill('docs-assistant-box dialog input', 'idempotency');
    await tab.waitFor('docs-assistant-box [role=option]', { hasText: 'Idempoten', nth: 0 });
    await takeScreenshot('export-enhanced', 'tab');
    await closeTab();
    await vscode.commands.executeCommand(exportCommands.stopPreview);
    const removed = begin(exportCommands.enhanceBundle, siteNode());
    await choose('Remove');
    await removed;
    await whenNotified('Took search and answers out of ');
    assert.equal(await readFile(page, 'utf8'), plain);
  });

  // Shows faults.md D22.
  it('previews the site on this machine, with nothing fetched from elsewhere, until it is stopped', async () => {
    await begin(exportCommands.previewBundle, siteNode());
    await workbench.waitFor(exportRow, { hasText: '127.0.0.1', nth: 0 });
    await takeScreenshot('export-preview');
    const row = await workbench.text(exportRow, { hasText: '127.0.0.1', nth: 0 });
    const host = /127\.0\.0\.1:\d+/.exec(row)?.[0] ?? assert.fail(row);
    assert.equal(await openTab(`http://${host}/`), 200);
    await tab.waitFor('h1', { nth: 0 });
    await takeScreenshot('export-preview-page', 'tab');
    const asked = await closeTab();
    assert.ok(asked.length > 1, 'its styles and scripts are asked for');
    assert.deepEqual(
      asked.filter((url) => new URL(url).host !== host && !url.startsWith('data:')),
      [],
    );
    assert.equal(await openTab(`http://${host}/no-such-page`), 404);
    await closeTab();
    await vscode.commands.executeCommand(exportCommands.stopPreview);
    await assert.rejects(fetch(`http://${host}/`));
  });

  // Shows faults.md D34.
  it('shows a change of a values file as a diff, and writes nothing unless it is applied', async () => {
    const document = await openValues();
    const before = document.getText();
    const done = begin(exportCommands.insertDeployment);
    await choose('values.yaml');
    await choose('In the values file');
    await answerTitled('Pin a Version', 'v2');
    await whenNotified('Review the change to values.yaml');
    const diff = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    assert.ok(diff instanceof vscode.TabInputTextDiff);
    assert.equal(diff.original.fsPath, document.uri.fsPath);
    const after = await vscode.workspace.openTextDocument(diff.modified);
    assert.match(after.getText().slice(before.length), /^\n?staticExport:\n {2}enabled: true\n/);
    await clearNotifications();
    await done;
    assert.equal(document.getText(), before);
    assert.equal(await readFile(document.uri.fsPath, 'utf8'), before);
    const isDiff = ({ input }: vscode.Tab): boolean => input instanceof vscode.TabInputTextDiff;
    assert.ok(!vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(isDiff)));
  });

  it('puts the link into a values file, keeping its comments and order', async () => {
    const document = await openValues();
    const before = document.getText();
    const done = begin(exportCommands.insertDeployment);
    await choose('values.yaml');
    await choose('In the values file');
    await answerTitled('Pin a Version', 'v2');
    await takeAction('Review the change to values.yaml', 'Apply');
    await done;
    const text = document.getText();
    assert.ok(text.startsWith(before), 'what was there has changed');
    assert.match(
      text.slice(before.length),
      /staticExport:\n {2}enabled: true\n {2}bundleUrl: "?http:\/\/127\.0\.0\.1[^\n]+\n {2}version: "?v2"?\n$/,
    );
    assert.equal(await readFile(document.uri.fsPath, 'utf8'), text);
    await openValues();
    await takeScreenshot('export-values');
  });

  it('marks a link that does not last as long as it must', async () => {
    const { uri } = await openValues();
    // The service's links last for an hour, and a day is asked for unless a setting says otherwise.
    await until(() => vscode.languages.getDiagnostics(uri).length === 1);
    assert.match(vscode.languages.getDiagnostics(uri)[0]?.message ?? '', /expires in/);
  });

  it('renews an expired link by itself before the next download', async () => {
    const bundles = (await exportRequests('POST', '/bundle')).length;
    const [answer] = await exportRequests('POST', '/bundle');
    const link = JSON.parse(answer?.responseText ?? '{}') as { bundleUrl: string };
    await docsService.queue({
      when: { method: 'POST', pathIncludes: '/bundle' },
      respond: {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...link, expiresAt: '2020-01-01T00:00:00Z' }),
      },
    });
    await begin(exportCommands.renewLink);
    await workbench.waitFor(exportRow, { hasText: 'link expired', nth: 0 });
    await clearNotifications();
    const again = begin(exportCommands.downloadBundle);
    await nameFile(path.join(folder, 'again.tar.gz'));
    await again;
    assert.deepEqual(await readFile(path.join(folder, 'again.tar.gz')), await readFile(archive));
    assert.equal((await exportRequests('POST', '/bundle')).length, bundles + 2);
  });

  it('renews the link in every file that holds it, whatever else is open that does', async () => {
    const document = await openValues();
    const before = document.getText();
    const oldSide = vscode.workspace.registerTextDocumentContentProvider('old-side', {
      provideTextDocumentContent: () => before,
    });
    await vscode.workspace.openTextDocument(document.uri.with({ scheme: 'old-side' }));
    const links = /bundleUrl: "?([^"\n]+)/.exec(before)?.[1] ?? '';
    const done = begin(exportCommands.renewAndUpdate);
    await takeAction('Review the change to values.yaml', 'Apply');
    await done;
    await until(() => document.getText() !== before && !document.isDirty);
    await whenNotified('Renewed the link in values.yaml');
    oldSide.dispose();
    const renewed = /bundleUrl: "?([^"\n]+)/.exec(document.getText())?.[1] ?? '';
    assert.notEqual(renewed, links);
    assert.equal(document.getText().replace(renewed, links), before, 'the link alone has changed');
    const response = await fetch(renewed, { method: 'HEAD' });
    assert.equal(response.status, 200);
  });

  it('sends the admin key to the export API alone, in its header alone', async () => {
    const { site } = suiteEnvironment();
    for (const exchange of await docsService.exchanges()) {
      const { authorization, ...headers } = exchange.headers;
      const isExport = exchange.path.startsWith('/v1/static-export/');
      assert.equal(String(authorization).includes(site.adminKey), isExport, exchange.path);
      const rest = JSON.stringify([exchange.path, headers, exchange.bodyText]);
      assert.ok(!rest.includes(site.adminKey), exchange.path);
    }
  });

  it('writes a CI workflow, and keeps one that is there unless its replacement is confirmed', async () => {
    const file = inWorkspace('.github/workflows/docs-release.yml');
    const { site } = suiteEnvironment();
    const answer = async (): Promise<void> => {
      await choose('GitHub Actions');
      await answerTitled('Site to Export', site.domain);
      await answerTitled('Export API', 'https://docs-platform.example.com');
      await answerTitled('Package of docs-assistant', './tools/docs-assistant.tgz');
      await choose('Every week');
      await choose('No questions');
      await choose('Do nothing with the link');
    };
    try {
      const done = begin(exportCommands.addExportWorkflow);
      await answer();
      await done;
      const text = await readFile(file.fsPath, 'utf8');
      assert.match(text, new RegExp(`DOCS_DOMAIN: "?${site.domain}"?\n`));
      assert.match(text, /- cron: '23 4 \* \* 1'/);
      assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), file.toString());
      // VS Code shows no modal dialog in a test, which is an answer other than Replace.
      await writeFile(file.fsPath, 'ours: true\n');
      const again = begin(exportCommands.addExportWorkflow);
      await answer();
      await again;
      assert.equal(await readFile(file.fsPath, 'utf8'), 'ours: true\n');
    } finally {
      await closeTab();
      await clearNotifications();
      await rm(inWorkspace('.github').fsPath, { recursive: true, force: true });
    }
  });

  it('takes an export off the list and leaves its files', async () => {
    await begin(exportCommands.removeExport);
    await workbench.waitFor(exportRow, { hasText: 'completed' }, 'detached');
    assert.ok((await stat(archive)).isFile());
    await pressKey('Escape');
    assert.equal(await workbench.count(`${quickInput}:visible`), 0);
  });

  function siteNode(): { kind: 'site'; folder: string } {
    return { kind: 'site', folder: path.join(folder, 'site') };
  }

  function bundleProblems(): { file: string; message: string }[] {
    return vscode.languages
      .getDiagnostics()
      .filter(([uri]) => uri.fsPath.startsWith(folder))
      .flatMap(([uri, problems]) => problems.map(({ message }) => ({ file: uri.fsPath, message })));
  }
});

/**
 * The link of a bundle expires, so the bundle must be regenerated and the deployment updated after new
 * content is published (platform-api.md § What the service does, 7).
 */
describe('a deployment after new content is published', () => {
  before(async () => {
    await startExporting();
    const saved = begin(exportCommands.setAdminKey);
    await answerPrompt(suiteEnvironment().site.adminKey);
    await saved;
  });

  after(async () => {
    await clearNotifications();
    await forgetExports();
    await stopExporting();
  });

  it('gets the bundle of a new export, in the values file that had the one before', async () => {
    const { uri } = await openValues();
    const text = await readFile(uri.fsPath, 'utf8');
    try {
      await writeFile(
        uri.fsPath,
        `# Deployment\n.shared: &shared\n  replicas: 1\ndocs:\n  <<: *shared\n  staticExport: {} # the docs\n`,
      );
      const document = await openValues();
      await until(() => document.getText().startsWith('# Deployment'));
      await exportQuickly();
      const firstJob = await startedJobId();
      const inserted = begin(exportCommands.insertDeployment);
      await choose('values.yaml');
      await choose('In the values file');
      await answerTitled('Pin a Version', '');
      await takeAction('Review the change to values.yaml', 'Apply');
      await inserted;
      const first = await linkOf(document);
      assert.ok(first.link.includes(firstJob), 'the link is of another job');
      await clearNotifications();

      // Somebody publishes new content.
      await begin(exportCommands.startAgain);
      await whenNotified('has completed');
      const secondJob = await startedJobId();
      assert.notEqual(secondJob, firstJob);
      const updated = begin(exportCommands.renewAndUpdate);
      await takeAction('Review the change to values.yaml', 'Apply');
      await updated;
      await whenNotified('Renewed the link in values.yaml');
      const second = await linkOf(document);
      assert.ok(second.link.includes(secondJob), 'the link is of another job');
      assert.equal(
        second.text.replace(second.link, first.link),
        first.text,
        'the link alone has changed',
      );
      assert.equal((await fetch(second.link, { method: 'HEAD' })).status, 200);
    } finally {
      await writeFile(uri.fsPath, text);
      await closeTab();
    }
  });

  /** Returns the saved text of a values file, and the link in it. */
  async function linkOf(document: vscode.TextDocument): Promise<{ text: string; link: string }> {
    await until(() => !document.isDirty);
    const text = await readFile(document.uri.fsPath, 'utf8');
    const link = /bundleUrl: "?(http[^"\n]+)/.exec(text)?.[1];
    assert.ok(link !== undefined, 'the values file has no link');
    return { text, link };
  }
});

function reportText(): string | undefined {
  return vscode.workspace.textDocuments
    .find(({ uri }) => uri.scheme === 'docs-assistant-report')
    ?.getText();
}

/** Answers the prompt with a title, which follows another prompt in the same place. */
async function answerTitled(title: string, text: string): Promise<void> {
  await workbench.waitFor('.quick-input-title', { hasText: title });
  await answerPrompt(text);
}

async function openValues(): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(inWorkspace('values.yaml'));
  await vscode.window.showTextDocument(document);
  return document;
}
