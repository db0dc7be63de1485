import assert from 'node:assert/strict';
import type { LocalDocs } from '../../../../src/service/server/servedDocs';
import {
  archiveLabel,
  chooseDocs,
  chooseInstalled,
  type ChooseDocsPorts,
  type KnownBundle,
} from '../../../../src/service/sets/chooseDocs';
import type { InstalledChoice } from '../../../../src/service/sets/docsPick';
import { DocsSets } from '../../../../src/service/sets/docsSets';
import { FakeClock } from '../../../fakes/fakeClock';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { RecordingLog } from '../../../fakes/recordingLog';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const sample: LocalDocs = { kind: 'folder', folder: '/ext/sampleDocs', label: 'Sample Docs' };
const guide: LocalDocs = { kind: 'folder', folder: '/docs/guide', label: 'guide' };
const fetched: LocalDocs = {
  kind: 'site',
  url: 'https://docs.example.com/',
  folder: '/own/1/pages',
  label: 'docs.example.com',
};

function choosing(bundles: readonly KnownBundle[] = []) {
  const memento = new MemoryMemento();
  const clock = new FakeClock();
  let ids = 0;
  const log = new RecordingLog();
  const sets = new DocsSets({ memento, clock, newId: () => `id-${++ids}`, log });
  const ui = new ScriptedUi();
  const done: string[] = [];
  const installed: InstalledChoice[] = [];
  const workspaceTrust = { isTrusted: true };
  const ports: ChooseDocsPorts = {
    installed: () => Promise.resolve(workspaceTrust.isTrusted ? installed : 'needs-trust'),
    manageTrust: () => {
      done.push('manage trust');
      return Promise.resolve();
    },
    ui,
    sets,
    clock,
    sample,
    workspace: () => [{ docs: { ...guide, folder: '/open', label: 'open' }, isDocsRoot: false }],
    served: () => undefined,
    bundles: () => Promise.resolve(bundles),
    folderKind: (folder) => Promise.resolve(folder.startsWith('/exported') ? 'bundle' : 'folder'),
    rename: (set, label) => {
      done.push(`rename ${set.docs.label} to ${label}`);
      return Promise.resolve();
    },
    remove: async (set) => {
      done.push(`remove ${set.docs.label}`);
      await sets.remove(set.id);
    },
  };
  const choose = (...answers: (string | undefined)[]) => {
    ui.answer(...answers);
    return chooseDocs(ports, 'Choose Docs');
  };
  const choosePackages = (...answers: (string | undefined)[]) => {
    ui.answer(...answers);
    return chooseInstalled(ports);
  };
  return { sets, ui, done, choose, choosePackages, installed, workspaceTrust, memento };
}

describe('chooseDocs', () => {
  const escapes: readonly (readonly (string | undefined)[])[] = [
    [undefined],
    ['A Folder of Docs…', undefined],
    ['A Bundle (Exported Site)…', undefined],
    ['A Bundle (Exported Site)…', 'An Archive…', undefined],
    ['A Public Docs Site…', undefined],
    ['A Public Docs Site…', 'https://new.example.com', undefined],
    ['remove: docs.example.com', undefined, undefined],
    ['rename: docs.example.com', undefined, undefined],
    ['Manage Kept Docs…', undefined],
    ['Manage Kept Docs…', 'docs.example.com', undefined],
    ['Manage Kept Docs…', 'docs.example.com', 'Remove', undefined, undefined],
  ];
  for (const answers of escapes) {
    const way = answers.map((each) => each ?? 'Esc').join(' → ');
    // Shows faults.md I1.
    it(`changes nothing after Escape at ${way}`, async () => {
      const { sets, done, choose, memento } = choosing();
      await sets.add(fetched, { ownFolder: 'own' });
      const before = JSON.stringify([...memento.values]);
      assert.equal(await choose(...answers), undefined);
      assert.deepEqual(done, []);
      assert.equal(JSON.stringify([...memento.values]), before);
    });
  }

  for (const [way, answers] of [
    ['by the button of its row', ['with-packages: docs.example.com']],
    ['by keyboard', ['Manage Kept Docs…', 'docs.example.com', 'Ask With Installed Packages']],
  ] as const) {
    it(`serves a kept set together with the installed packages, ${way}`, async () => {
      const { sets, choose, installed } = choosing();
      await sets.add(fetched);
      const packages = { kind: 'installed', folder: '/app', root: '/app' } as const;
      installed.push({ docs: { ...packages, label: 'Packages' }, packages: 3, place: 'app' });
      const label = 'docs.example.com and Installed Packages';
      assert.deepEqual(await choose(...answers), {
        kind: 'docs',
        docs: { ...packages, label, beside: fetched },
      });
    });
  }

  for (const [what, folder, kind] of [
    ['a folder of Markdown', '/docs/manual', 'folder'],
    ['a folder of an exported site', '/exported/manual', 'bundle'],
  ] as const) {
    it(`serves ${what} as what it is, under its own name`, async () => {
      const { choose } = choosing();
      assert.deepEqual(await choose('A Folder of Docs…', folder), {
        kind: 'docs',
        docs: { kind, folder, label: 'manual' },
      });
    });
  }

  it('serves the workspace and the sample without another question', async () => {
    const { choose, ui } = choosing();
    assert.deepEqual(await choose('Sample Docs'), { kind: 'docs', docs: sample });
    const open = await choose('open');
    assert.equal(open?.kind === 'docs' && open.docs.folder, '/open');
    assert.equal(ui.shown.length, 2);
  });

  it('refuses a URL with the reason, keeps the input open, and asks once before a fetch', async () => {
    const { choose, ui } = choosing();
    const chosen = await choose(
      'A Public Docs Site…',
      '',
      'ftp://docs.example.org',
      'https://docs.example.org/guide?x#y',
      'Fetch Docs',
    );
    assert.deepEqual(
      ui.remarks.map(({ kind }) => kind),
      ['error', 'error'],
    );
    assert.deepEqual(ui.texts('confirm'), ['Fetch the docs of https://docs.example.org?']);
    assert.match(ui.details[0] ?? '', /robots\.txt.*llms-full\.txt.*sitemap\.xml.*10,000 pages/);
    assert.equal(chosen?.kind, 'site');
    assert.equal(chosen.address.url, 'https://docs.example.org/guide');
  });

  it('serves the kept set of a site that is entered again, without a question', async () => {
    const { choose, sets, ui } = choosing();
    const { id } = await sets.add(fetched, { ownFolder: 'own' });
    const chosen = await choose('A Public Docs Site…', 'docs.example.com');
    assert.equal(chosen?.kind === 'set' && chosen.set.id, id);
    assert.deepEqual(ui.texts('confirm'), []);
  });

  it('offers the bundles that are known, by folder if they are unpacked', async () => {
    const known: KnownBundle[] = [
      { label: 'acme', folder: '/bundles/acme' },
      { label: 'beta', archive: '/bundles/beta.tar.gz' },
    ];
    const { choose } = choosing(known);
    assert.deepEqual(await choose('A Bundle (Exported Site)…', 'acme'), {
      kind: 'docs',
      docs: { kind: 'bundle', folder: '/bundles/acme', label: 'acme' },
    });
    assert.deepEqual(await choose('A Bundle (Exported Site)…', 'beta'), {
      kind: 'archive',
      archive: '/bundles/beta.tar.gz',
      label: 'beta',
    });
  });

  it('unpacks the archive of a kept bundle again when it is chosen again', async () => {
    const { choose, sets } = choosing();
    const archive = '/home/me/acme.zip';
    const docs: LocalDocs = { kind: 'bundle', folder: '/own/a/site', label: 'acme' };
    await sets.add(docs, { archive, ownFolder: 'a' });
    const chosen = await choose('A Bundle (Exported Site)…', 'An Archive…', archive);
    assert.equal(chosen?.kind === 'set' && chosen.isRefresh, true);
  });

  it('comes back to the list after a set was renamed or removed', async () => {
    const { choose, sets, done, ui } = choosing();
    await sets.add(guide);
    await sets.add(fetched, { ownFolder: 'own', pages: 12 });
    const chosen = await choose(
      'rename: guide',
      '  ',
      ' Handbook ',
      'remove: docs.example.com',
      'Remove',
      'refresh: guide',
    );
    assert.deepEqual(done, ['rename guide to Handbook', 'remove docs.example.com']);
    assert.equal(ui.details[0], 'Its pages are deleted from this machine (12 pages).');
    assert.equal(chosen?.kind === 'set' && chosen.isRefresh, true);
  });

  it('can also refresh, rename and remove without a button of a row', async () => {
    const { choose, sets, done } = choosing();
    await sets.add(guide);
    const { id } = await sets.add(fetched, { ownFolder: 'own' });
    const chosen = await choose(
      ...['Manage Kept Docs…', 'guide', 'Rename…', 'Handbook'],
      ...['Manage Kept Docs…', 'guide', 'Remove'],
      ...['Manage Kept Docs…', 'docs.example.com', 'Fetch Again'],
    );
    assert.deepEqual(done, ['rename guide to Handbook', 'remove guide']);
    assert.ok(chosen?.kind === 'set' && chosen.isRefresh);
    assert.equal(chosen.set.id, id);
  });

  it('removes a folder of the reader from the list without a question', async () => {
    const { choose, sets, done, ui } = choosing();
    await sets.add(guide);
    await choose('remove: guide', undefined);
    assert.deepEqual(done, ['remove guide']);
    assert.deepEqual(ui.texts('confirm'), []);
  });
});

describe('archiveLabel', () => {
  for (const [archive, label] of [
    ['/a/acme.tar.gz', 'acme'],
    ['/a/acme-1.2.tgz', 'acme-1.2'],
    ['/a/acme.zip', 'acme'],
    ['/a/acme.tar', 'acme'],
    ['/a/.zip', '.zip'],
    ['/a/bundle', 'bundle'],
  ] as const) {
    it(`calls ${archive} ${label}`, () => assert.equal(archiveLabel(archive), label));
  }
});

describe('chooseInstalled', () => {
  const inFolder = (folder: string): InstalledChoice => ({
    docs: { kind: 'installed', folder, label: 'Installed Packages' },
    packages: 3,
    place: folder.slice(1),
  });

  it('asks nothing if one folder has packages', async () => {
    const { choosePackages, installed } = choosing();
    installed.push(inFolder('/app'));
    assert.deepEqual(await choosePackages(), { kind: 'docs', docs: inFolder('/app').docs });
  });

  it('asks for the folder if several have packages', async () => {
    const { choosePackages, installed } = choosing();
    installed.push(inFolder('/app'), inFolder('/app/tools'));
    assert.equal(await choosePackages(undefined), undefined);
    assert.deepEqual(await choosePackages('Installed Packages'), {
      kind: 'docs',
      docs: inFolder('/app').docs,
    });
  });

  // Shows faults.md I13.
  it('says that no packages are installed', async () => {
    const { choosePackages, ui } = choosing();
    assert.equal(await choosePackages(), undefined);
    assert.match(JSON.stringify(ui), /No packages are installed here/);
  });

  // Shows faults.md I12.
  it('shows where to trust a workspace instead of reading it, from the list, too', async () => {
    const { choosePackages, choose, done, workspaceTrust } = choosing();
    workspaceTrust.isTrusted = false;
    assert.equal(await choosePackages(), undefined);
    assert.equal(await choose('Installed Packages'), undefined);
    assert.deepEqual(done, ['manage trust', 'manage trust']);
  });
});
