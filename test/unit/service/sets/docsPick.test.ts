import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import type { LocalDocs } from '../../../../src/service/server/servedDocs';
import { docsRows, type DocsPickContent } from '../../../../src/service/sets/docsPick';
import type { DocsSet } from '../../../../src/service/sets/docsSets';

const HOUR = 3_600_000;
const now = 100 * 24 * HOUR;
const sample: LocalDocs = { kind: 'folder', folder: '/ext/sampleDocs', label: 'Sample Docs' };
const guide: LocalDocs = { kind: 'folder', folder: '/work/guide', label: 'guide' };

function aSet(docs: LocalDocs, more: Partial<DocsSet> = {}): DocsSet {
  return { schemaVersion: 1, id: docs.label, docs, addedAt: 0, usedAt: 0, ...more };
}

function rows(content: Partial<DocsPickContent>) {
  const all = {
    installed: [],
    sets: [],
    workspace: [],
    sample,
    served: undefined,
    now,
    ...content,
  };
  return docsRows(all, plainTranslate);
}

const labels = (content: Partial<DocsPickContent>) => rows(content).map(({ label }) => label);

function row(content: Partial<DocsPickContent>, label: string) {
  const found = rows(content).find((each) => each.label === label);
  assert.ok(found && !found.isSeparator, `no row ${label}`);
  return found;
}

describe('docsRows', () => {
  it('offers the ways to add docs, and the sample, if nothing is kept and nothing is open', () => {
    assert.deepEqual(labels({}), [
      'add docs',
      'A Folder of Docs…',
      'A Bundle (Exported Site)…',
      'A Public Docs Site…',
      'Sample Docs',
    ]);
  });

  it('shows the installed packages first, with their counts once they are known', () => {
    const docs: LocalDocs = { kind: 'installed', folder: '/work/app', label: 'Installed Packages' };
    const installed = [{ docs, packages: 1200, place: 'app' }];
    assert.deepEqual(labels({ installed, sets: [aSet(guide)] }).slice(0, 3), [
      'installed packages',
      'Installed Packages',
      'kept docs',
    ]);
    assert.equal(row({ installed }, 'Installed Packages').description, '1,200 packages');
    const counted = [{ docs, packages: 1, place: 'app', pages: 475, sizeBytes: 3_000_000 }];
    assert.equal(
      row({ installed: counted, served: docs }, 'Installed Packages').description,
      'in use · 1 package · 475 pages · 3 MB',
    );
  });

  it('names the folders if several have packages', () => {
    const installed = ['app', 'app/tools'].map((place) => ({
      docs: { kind: 'installed', folder: `/work/${place}`, label: 'Installed Packages' } as const,
      packages: 3,
      place,
    }));
    const found = rows({ installed }).flatMap((each) =>
      each.isSeparator || each.label !== 'Installed Packages' ? [] : [each.description],
    );
    assert.deepEqual(found, ['app · 3 packages', 'app/tools · 3 packages']);
  });

  it('offers to ask a kept set with the packages, where there are any', () => {
    const docs: LocalDocs = { kind: 'installed', folder: '/work/app', label: 'Installed Packages' };
    const buttons = (installed: DocsPickContent['installed']) =>
      row({ installed, sets: [aSet(guide)] }, 'guide').buttons?.map(({ value }) => value);
    const usual = ['refresh', 'rename', 'remove'];
    assert.deepEqual(buttons([]), usual);
    assert.deepEqual(buttons('needs-trust'), usual);
    assert.deepEqual(buttons([{ docs, packages: 3, place: 'app' }]), ['with-packages', ...usual]);
  });

  it('says what waits for trust, and counts nothing then', () => {
    const shown = row({ installed: 'needs-trust' }, 'Installed Packages');
    assert.equal(shown.description, 'trust this workspace to ask about its packages');
    assert.deepEqual(shown.value, { kind: 'trust' });
  });

  it('shows kept sets before the folders of the workspace, and each docs once', () => {
    const api: LocalDocs = { kind: 'folder', folder: '/work/api', label: 'api' };
    const workspace = [
      { docs: guide, isDocsRoot: true },
      { docs: api, isDocsRoot: false },
    ];
    const named = { ...guide, label: 'Handbook' };
    assert.deepEqual(labels({ sets: [aSet(named)], workspace }).slice(0, 4), [
      'kept docs',
      'Handbook',
      'this workspace',
      'api',
    ]);
  });

  it('shows pages, size, age and origin of a set', () => {
    const site: LocalDocs = {
      kind: 'site',
      url: 'https://docs.example.com/',
      folder: '/own/pages',
      label: 'Example',
    };
    const facts = { pages: 2431, sizeBytes: 12_000_000, fetchedAt: now - 75 * HOUR };
    const shown = row({ sets: [aSet(site, facts)], served: site }, 'Example');
    assert.equal(shown.icon, 'globe');
    assert.equal(shown.description, 'in use · 2,431 pages · 12 MB · fetched 3 d ago');
    assert.equal(shown.detail, 'https://docs.example.com/');
  });

  for (const [ageMs, text] of [
    [59_000, 'read just now'],
    [61_000, 'read 1 min ago'],
    [HOUR + 61_000, 'read 1 h ago'],
    [49 * HOUR, 'read 2 d ago'],
  ] as const) {
    it(`says “${text}” ${ageMs / 1000} s after a folder was read`, () => {
      const set = aSet(guide, { pages: 1, fetchedAt: now - ageMs });
      assert.equal(row({ sets: [set] }, 'guide').description, `1 page · ${text}`);
    });
  }

  it('names the archive of an unpacked bundle instead of the extension’s own folder', () => {
    const docs: LocalDocs = { kind: 'bundle', folder: '/own/a/site', label: 'acme' };
    const set = aSet(docs, { archive: '/home/me/acme.tar.gz', ownFolder: 'a' });
    assert.equal(row({ sets: [set] }, 'acme').detail, '/home/me/acme.tar.gz');
  });

  it('has buttons to refresh, rename and remove on kept sets only', () => {
    const content = { sets: [aSet(guide)] };
    const withButtons = rows(content).filter((each) => !each.isSeparator && each.buttons?.length);
    assert.deepEqual(
      withButtons.map(({ label }) => label),
      ['guide'],
    );
    assert.deepEqual(
      row(content, 'guide').buttons?.map(({ value }) => value),
      ['refresh', 'rename', 'remove'],
    );
  });
});
