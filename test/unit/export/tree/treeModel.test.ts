import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { exportCommands } from '../../../../src/common/contributions';
import { plainTranslate } from '../../../../src/common/errors';
import {
  details,
  exportTreeLine,
  previewTreeLine,
  siteTreeLine,
  type LineContext,
} from '../../../../src/export/tree/treeModel';
import { anExport } from '../../../builders/exports';
import { aView } from '../../../fakes/fakeExports';

const start = anExport().startedAt;
const idle = { watch: { name: 'idle' } } as const;
const archive = { path: '/exports/bundle.tar.gz', sizeBytes: 12_345_678, sha256: 'ab'.repeat(32) };

const context = (reports: readonly string[] = []): LineContext => ({
  now: start + 60_000,
  translate: plainTranslate,
  language: 'en',
  hasReport: (siteFolder) => reports.includes(siteFolder),
});

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  contributes: { menus: Record<string, { command: string; when: string }[]> };
};

/** Commands that the manifest's menus offer at a node with that `viewItem`. */
function offered(viewItem: string): Set<string> {
  const menu = manifest.contributes.menus['view/item/context'] ?? [];
  return new Set(
    menu
      .filter(({ when }) => {
        const source = /viewItem =~ \/(.*)\//.exec(when)?.[1];
        return source !== undefined && new RegExp(source).test(viewItem);
      })
      .map(({ command }) => command),
  );
}

describe('exportTreeLine', () => {
  it('offers a watched job to be watched no longer, and no bundle', () => {
    const commands = offered(exportTreeLine(aView(), context()).contextValue);
    assert.deepEqual(commands, new Set([exportCommands.stopWatching, exportCommands.removeExport]));
  });

  for (const [what, view] of [
    ['a job that is not watched', aView({}, idle)],
    ['one that can be watched no longer', aView({ outcome: 'unwatchable' }, idle)],
  ] as const) {
    it(`offers ${what} to be watched`, () => {
      const commands = offered(exportTreeLine(view, context()).contextValue);
      assert.deepEqual(
        commands,
        new Set([exportCommands.watchExport, exportCommands.removeExport]),
      );
    });
  }

  it('offers the link and the download of a completed one, and to watch nothing', () => {
    const view = aView({ outcome: 'completed' }, idle);
    const commands = offered(exportTreeLine(view, context()).contextValue);
    assert.ok(commands.has(exportCommands.getBundleLink));
    assert.ok(commands.has(exportCommands.downloadBundle));
    for (const command of ['watchExport', 'stopWatching', 'openBundle', 'checkBundle'] as const) {
      assert.ok(!commands.has(exportCommands[command]), command);
    }
  });

  it('offers what an archive, a folder and a report are good for', () => {
    const record = { outcome: 'completed', archive, siteFolder: '/exports/site' } as const;
    const bare = offered(exportTreeLine(aView(record, idle), context()).contextValue);
    assert.ok(bare.has(exportCommands.openBundle) && bare.has(exportCommands.previewBundle));
    assert.ok(!bare.has(exportCommands.saveReport));
    const checked = exportTreeLine(aView(record, idle), context(['/exports/site']));
    assert.ok(offered(checked.contextValue).has(exportCommands.saveReport));
  });

  it('offers a failed one to be started again or removed, and no more', () => {
    const { contextValue } = exportTreeLine(aView({ outcome: 'failed' }, idle), context());
    const { startAgain, removeExport } = exportCommands;
    assert.deepEqual(offered(contextValue), new Set([startAgain, removeExport]));
  });

  it('offers to start again what is gone at the service, and only that of what is unwatchable', () => {
    const offersStart = (errorCode: string): boolean => {
      const view = aView({ outcome: 'unwatchable', errorCode }, idle);
      return offered(exportTreeLine(view, context()).contextValue).has(exportCommands.startAgain);
    };
    assert.equal(offersStart('unknown-job'), true);
    assert.equal(offersStart('admin-key-rejected'), false);
  });

  it('keeps what services say from becoming icons', () => {
    const line = exportTreeLine(aView({ status: '$(bomb) [x](command:y)' }), context());
    assert.ok(!line.description.includes('$('));
    assert.ok(!line.tooltip.includes('$('));
  });

  it('never holds the presigned link or its query', () => {
    const url = 'https://store.example.com/bundle.tar.gz?sig=CANARY';
    const view = aView({ outcome: 'completed' }, { ...idle, link: { url, expiresAt: start } });
    const shown = JSON.stringify([exportTreeLine(view, context()), details(view, context())]);
    assert.ok(!shown.includes('CANARY') && !shown.includes('store.example.com'));
  });
});

describe('details', () => {
  const rows = (view: ReturnType<typeof aView>) =>
    Object.fromEntries(details(view, context()).map(({ name, text }) => [name, text]));

  it('tell the job, its state and where it runs', () => {
    const shown = rows(aView({ status: 'running', pages: 3 }));
    assert.equal(shown.job, 'job-1');
    assert.equal(shown.status, 'running');
    assert.equal(shown.pages, '3 pages');
    assert.equal(shown.api, 'api.example.com');
    assert.ok(shown.started !== undefined && shown.ended === undefined);
  });

  it('tell why it failed, in the service’s words', () => {
    const view = aView(
      {
        outcome: 'failed',
        errorCode: 'job-failed',
        errorMessage: 'The site has no pages.',
        endedAt: start + 90_000,
      },
      idle,
    );
    assert.match(rows(view).error ?? '', /docs\.example\.com failed.*The site has no pages\./);
    assert.match(rows(view).ended ?? '', /, after 1 min$/);
  });

  it('tell the archive’s size and SHA-256, and the folder', () => {
    const shown = rows(aView({ outcome: 'completed', archive, siteFolder: '/exports/site' }, idle));
    assert.equal(shown.archive, archive.path);
    assert.equal(shown.archiveSize, '12.4 MB');
    assert.equal(shown.sha256, archive.sha256);
    assert.equal(shown.folder, '/exports/site');
  });

  it('tell until when the link is valid and what is left, or that it has expired', () => {
    const end = (linkExpiresAt: number) =>
      rows(aView({ outcome: 'completed', linkExpiresAt }, idle)).linkExpires ?? '';
    assert.match(end(context().now + 42 * 60_000), /2\d{3}.*\(42 min left\)$/);
    assert.match(end(context().now - 1), /\(expired\)$/);
  });

  it('survive a time that no calendar has', () => {
    assert.match(
      rows(aView({ outcome: 'completed', linkExpiresAt: 1e300 })).linkExpires ?? '',
      /^\?/,
    );
  });
});

describe('siteTreeLine and previewTreeLine', () => {
  it('offer what can be done with an opened bundle', () => {
    const site = { folder: '/exports/site', label: 'bundle.tar.gz' };
    const commands = offered(siteTreeLine(site, context([site.folder])).contextValue);
    assert.deepEqual(
      commands,
      new Set([
        exportCommands.checkBundle,
        exportCommands.previewBundle,
        exportCommands.askBundle,
        exportCommands.saveReport,
        exportCommands.removeExport,
      ]),
    );
  });

  it('offer to open and to stop a preview, without its path, which is a secret', () => {
    const line = previewTreeLine(
      { id: 'p', url: 'http://127.0.0.1:4711/CANARY/', label: 'docs', siteFolder: '/exports/site' },
      context(),
    );
    assert.deepEqual(
      offered(line.contextValue),
      new Set([exportCommands.openPreview, exportCommands.stopPreview]),
    );
    assert.ok(!JSON.stringify(line).includes('CANARY'));
  });
});
