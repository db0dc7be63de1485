import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { exportCommands } from '../../../../src/common/contributions';
import { plainTranslate } from '../../../../src/common/errors';
import {
  details,
  detailTreeLine,
  exportTreeLine,
  groupTreeLine,
  previewTreeLine,
  siteTreeLine,
  type LineContext,
} from '../../../../src/export/tree/treeModel';
import { anExport } from '../../../builders/exports';
import { aView } from '../../../fakes/fakeExports';

const start = anExport().startedAt;
const idle = { watch: { name: 'idle' } } as const;
const archive = { path: '/exports/bundle.tar.gz', sizeBytes: 12_345_678, sha256: 'ab'.repeat(32) };

const check = { at: start, pages: 20, broken: 0, outsideFetches: 0 };
const diff = {
  at: start,
  against: 'v1',
  added: 1,
  removed: 0,
  moved: 0,
  changed: 5,
  brokenLinks: 0,
  mendedLinks: 0,
};

const context = (reports: readonly string[] = []): LineContext => ({
  now: start + 60_000,
  translate: plainTranslate,
  language: 'en',
  hasReport: (siteFolder) => reports.includes(siteFolder),
  deployedAt: () => undefined,
});

const deployedAt = (url: string): LineContext => ({ ...context(), deployedAt: () => url });

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  contributes: { menus: Record<string, { command: string; when: string }[]> };
};

/** Returns the commands that the manifest's menus offer at a node with that `viewItem`. */
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
  it('offers to stop watching a watched job, and no bundle actions', () => {
    const commands = offered(exportTreeLine(aView(), context()).contextValue);
    assert.deepEqual(commands, new Set([exportCommands.stopWatching, exportCommands.removeExport]));
  });

  for (const [what, view] of [
    ['a job that is not watched', aView({}, idle)],
    ['one that can be watched no longer', aView({ outcome: 'unwatchable' }, idle)],
  ] as const) {
    it(`offers to watch ${what}`, () => {
      const commands = offered(exportTreeLine(view, context()).contextValue);
      assert.deepEqual(
        commands,
        new Set([exportCommands.watchExport, exportCommands.removeExport]),
      );
    });
  }

  it('offers the link and the download of a completed export, but no watching', () => {
    const view = aView({ outcome: 'completed' }, idle);
    const commands = offered(exportTreeLine(view, context()).contextValue);
    assert.ok(commands.has(exportCommands.getBundleLink));
    assert.ok(commands.has(exportCommands.downloadBundle));
    for (const command of ['watchExport', 'stopWatching', 'openBundle', 'checkBundle'] as const) {
      assert.ok(!commands.has(exportCommands[command]), command);
    }
  });

  it('offers the actions for an archive, a folder and a report', () => {
    const record = { outcome: 'completed', archive, siteFolder: '/exports/site' } as const;
    const bare = offered(exportTreeLine(aView(record, idle), context()).contextValue);
    assert.ok(bare.has(exportCommands.openBundle) && bare.has(exportCommands.previewBundle));
    assert.ok(!bare.has(exportCommands.saveReport));
    const checked = exportTreeLine(aView(record, idle), context(['/exports/site']));
    assert.ok(offered(checked.contextValue).has(exportCommands.saveReport));
    assert.ok(bare.has(exportCommands.compareBundles));
    assert.ok(!bare.has(exportCommands.showComparison), 'nothing has been compared');
  });

  it('offers only to start a failed export again or to remove it', () => {
    const { contextValue } = exportTreeLine(aView({ outcome: 'failed' }, idle), context());
    const { startAgain, removeExport } = exportCommands;
    assert.deepEqual(offered(contextValue), new Set([startAgain, removeExport]));
  });

  it('offers to start a missing job again, but no other job that can’t be watched', () => {
    const offersStart = (errorCode: string): boolean => {
      const view = aView({ outcome: 'unwatchable', errorCode }, idle);
      return offered(exportTreeLine(view, context()).contextValue).has(exportCommands.startAgain);
    };
    assert.equal(offersStart('unknown-job'), true);
    assert.equal(offersStart('admin-key-rejected'), false);
  });

  it('offers to start a completed export again and to open its deployed site', () => {
    const view = aView({ outcome: 'completed' }, idle);
    const before = offered(exportTreeLine(view, context()).contextValue);
    assert.ok(before.has(exportCommands.startAgain) && before.has(exportCommands.openDeployed));
    assert.ok(!before.has(exportCommands.changeDeployed), 'there is no address to change');
    const after = exportTreeLine(view, deployedAt('https://docs.acme.com/')).contextValue;
    assert.ok(offered(after).has(exportCommands.changeDeployed));
  });

  it('shows the version below its site, or the time of its start', () => {
    const labelled = aView({ label: 'v2' });
    assert.equal(exportTreeLine(labelled, context()).label, 'docs.example.com · v2');
    const line = exportTreeLine(labelled, context(), true);
    assert.equal(line.label, 'v2');
    assert.match(line.spoken, /^Static export of docs\.example\.com · v2 · /);
    const { label } = exportTreeLine(aView(), context(), true);
    assert.match(label, /2025|2024/);
    assert.doesNotMatch(label, /docs\.example\.com/);
  });

  for (const [what, results, icon] of [
    ['without results', undefined, 'pass'],
    [
      'whose results are good',
      { check, questions: { at: start, passed: 9, failed: 0 } },
      'pass-filled',
    ],
    ['with broken links', { check: { ...check, broken: 2 } }, 'warning'],
    [
      'whose links broke since the last one',
      { check, diff: { ...diff, brokenLinks: 1 } },
      'warning',
    ],
    [
      'with a question that failed',
      { check, questions: { at: start, passed: 8, failed: 1 } },
      'warning',
    ],
    [
      'whose result is of another archive',
      { check: { ...check, sha256: '1a'.repeat(32) } },
      'pass',
    ],
  ] as const) {
    it(`marks a completed export ${what} by its icon`, () => {
      const record = { outcome: 'completed', archive, ...(results && { results }) } as const;
      assert.equal(exportTreeLine(aView(record, idle), context()).icon, icon);
    });
  }

  it('shows its results in the line, in the tooltip and to screen readers', () => {
    const results = {
      check: { ...check, broken: 3 },
      diff,
      questions: { at: start, passed: 18, failed: 2, lost: 1 },
    };
    const view = aView({ outcome: 'completed', results }, idle);
    const { description, tooltip, spoken } = exportTreeLine(view, context());
    assert.equal(
      description,
      'completed · 3 broken links · 6 pages differ · 18 of 20 questions passed',
    );
    assert.ok(spoken.endsWith(description));
    assert.match(tooltip, /^Check: 3 broken links$/m);
    assert.match(tooltip, /^Comparison: 1 page added, 5 pages changed, compared with v1$/m);
    assert.match(tooltip, /^Questions: 18 of 20 questions passed, 1 lost$/m);
  });

  it('never shows texts of services as icons', () => {
    const line = exportTreeLine(aView({ status: '$(bomb) [x](command:y)' }), context());
    assert.ok(!line.description.includes('$('));
    assert.ok(!line.tooltip.includes('$('));
  });

  it('never contains the presigned link or its query', () => {
    const url = 'https://store.example.com/bundle.tar.gz?sig=CANARY';
    const view = aView({ outcome: 'completed' }, { ...idle, link: { url, expiresAt: start } });
    const shown = JSON.stringify([exportTreeLine(view, context()), details(view, context())]);
    assert.ok(!shown.includes('CANARY') && !shown.includes('store.example.com'));
  });
});

describe('groupTreeLine', () => {
  const site = { apiUrl: 'https://api.example.com', exportDomain: 'docs.example.com' };

  it('names the site, its exports and the API', () => {
    const { label, description, spoken } = groupTreeLine(site, [aView(), aView()], context());
    assert.equal(label, 'docs.example.com');
    assert.equal(description, '2 exports · api.example.com');
    assert.equal(spoken, 'Exports of docs.example.com · 2 exports · api.example.com');
    assert.equal(
      groupTreeLine(site, [aView()], context()).description,
      '1 export · api.example.com',
    );
  });

  it('offers a new export and the deployed site with its URL, but no actions for one export', () => {
    const line = groupTreeLine(site, [aView()], deployedAt('https://docs.acme.com/'));
    assert.deepEqual(
      offered(line.contextValue),
      new Set([
        exportCommands.exportSite,
        exportCommands.openDeployed,
        exportCommands.changeDeployed,
      ]),
    );
    assert.match(line.tooltip, /https:\/\/docs\.acme\.com\/$/);
  });
});

describe('details', () => {
  const rows = (view: ReturnType<typeof aView>) =>
    Object.fromEntries(details(view, context()).map(({ name, text }) => [name, text]));

  it('show the job, its state and where it runs', () => {
    const shown = rows(aView({ status: 'running', pages: 3 }));
    assert.equal(shown.job, 'job-1');
    assert.equal(shown.status, 'running');
    assert.equal(shown.pages, '3 pages');
    assert.equal(shown.api, 'api.example.com');
    assert.ok(shown.started !== undefined && shown.ended === undefined);
  });

  it('show why it failed, in the service’s words', () => {
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

  it('show the archive’s size and SHA-256, and the folder', () => {
    const shown = rows(aView({ outcome: 'completed', archive, siteFolder: '/exports/site' }, idle));
    assert.equal(shown.archive, archive.path);
    assert.equal(shown.archiveSize, '12.4 MB');
    assert.equal(shown.sha256, archive.sha256);
    assert.equal(shown.folder, '/exports/site');
  });

  it('show until when the link is valid and what is left, or that it has expired', () => {
    const end = (linkExpiresAt: number) =>
      rows(aView({ outcome: 'completed', linkExpiresAt }, idle)).linkExpires ?? '';
    assert.match(end(context().now + 42 * 60_000), /2\d{3}.*\(42 min left\)$/);
    assert.match(end(context().now - 1), /\(expired\)$/);
  });

  it('show the version and the paths, and what the service does not accept', () => {
    const paths = ['/a', '/b', '/c', '/d', '/e', '/f', '/g'];
    const taken = rows(aView({ label: 'v2', paths }));
    assert.equal(taken.version, 'v2');
    assert.equal(taken.paths, '/a, /b, /c, /d, /e and 2 more');
    const refused = rows(aView({ label: 'v2', paths: ['/a'], leftOut: ['label', 'paths'] }));
    assert.equal(refused.version, 'v2 (the service doesn’t take it)');
    assert.equal(refused.paths, '/a (the service doesn’t take it)');
  });

  it('show where the site is deployed once that is known', () => {
    const shown = details(aView(), deployedAt('https://docs.acme.com/'));
    assert.equal(shown.find(({ name }) => name === 'deployed')?.text, 'https://docs.acme.com/');
    assert.equal(rows(aView()).deployed, undefined);
  });

  it('show each result with its time at the top', () => {
    const results = { check: { ...check, sha256: '1a'.repeat(32) }, diff };
    const [first, second] = details(
      aView({ outcome: 'completed', archive, results }, idle),
      context(),
    );
    assert.ok(first && second);
    const stale = detailTreeLine(first);
    assert.deepEqual(
      [stale.label, stale.description, stale.icon],
      ['Check', 'self-contained, 20 pages (outdated)', 'history'],
    );
    assert.match(stale.tooltip, /Result of .*202\d.*\. The archive has been replaced since\.$/);
    assert.equal(stale.spoken, 'Check: self-contained, 20 pages (outdated)');
    assert.deepEqual(offered(stale.contextValue), new Set([exportCommands.checkBundle]));
    const compared = detailTreeLine(second);
    assert.deepEqual([compared.label, compared.icon], ['Comparison', 'pass']);
    assert.deepEqual(offered(compared.contextValue), new Set([exportCommands.showComparison]));
  });

  it('survive an invalid time', () => {
    assert.match(
      rows(aView({ outcome: 'completed', linkExpiresAt: 1e300 })).linkExpires ?? '',
      /^\?/,
    );
  });
});

describe('siteTreeLine and previewTreeLine', () => {
  it('offer the actions for an opened bundle', () => {
    const site = { folder: '/exports/site', label: 'bundle.tar.gz' };
    const commands = offered(siteTreeLine(site, context([site.folder])).contextValue);
    assert.deepEqual(
      commands,
      new Set([
        exportCommands.checkBundle,
        exportCommands.enhanceBundle,
        exportCommands.previewBundle,
        exportCommands.askBundle,
        exportCommands.compareBundles,
        exportCommands.generateHosting,
        exportCommands.saveReport,
        exportCommands.removeExport,
      ]),
    );
  });

  it('offer to open and to stop a preview, but do not show its secret path', () => {
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
