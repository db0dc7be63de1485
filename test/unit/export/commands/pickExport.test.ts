import assert from 'node:assert/strict';
import {
  parseExportNode,
  pickExport,
  pickNewest,
  replacedAddresses,
} from '../../../../src/export/commands/pickExport';
import { FakeClock } from '../../../fakes/fakeClock';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const completed = aView({ id: 'c1', exportDomain: 'one.example.com', outcome: 'completed' });
const other = aView({ id: 'c2', exportDomain: 'two.example.com', outcome: 'completed' });
const running = aView({ id: 'r1' });
const question = {
  fits: (view: ReturnType<typeof aView>) => view.record.outcome === 'completed',
  none: 'None has completed.',
};

function pick(views: ReturnType<typeof aView>[], node?: unknown, ...answers: string[]) {
  const ui = new ScriptedUi().answer(...answers);
  const ports = { exports: new FakeExports(...views), ui, clock: new FakeClock() };
  return pickExport(ports, node, question).then((view) => ({ id: view?.record.id, ui }));
}

describe('pickExport', () => {
  it('uses the node of the tree, or of a row below it', async () => {
    for (const node of [
      { kind: 'export', id: 'c2' },
      { kind: 'detail', id: 'c2', name: 'job' },
    ]) {
      const { id, ui } = await pick([completed, other], node);
      assert.deepEqual([id, ui.shown], ['c2', []]);
    }
  });

  it('says so if the node’s export no longer fits or exists', async () => {
    for (const id of ['r1', 'gone']) {
      const picked = await pick([completed, running], { kind: 'export', id });
      assert.equal(picked.id, undefined);
      assert.deepEqual(picked.ui.texts(), ['None has completed.']);
    }
  });

  it('uses the only export that fits, without asking', async () => {
    const { id, ui } = await pick([completed, running]);
    assert.deepEqual([id, ui.shown], ['c1', []]);
  });

  it('asks if several exports fit, and offers only those', async () => {
    const { id, ui } = await pick([completed, running, other], undefined, 'two.example.com');
    assert.equal(id, 'c2');
    assert.deepEqual(ui.shown[0]?.options, ['one.example.com', 'two.example.com']);
  });

  it('returns none if the user cancels, or if no export fits', async () => {
    assert.equal((await pick([completed, other])).id, undefined);
    const { id, ui } = await pick([running]);
    assert.deepEqual([id, ui.texts()], [undefined, ['None has completed.']]);
  });
});

/** Exports of two sites. The newest ones of the first site and those of the other don't count for it. */
const api = 'https://api.example.com';
const site = { apiUrl: api, exportDomain: 'docs.example.com' };
const exported = (id: string, startedAt: number, fields: object = {}) =>
  aView({
    ...site,
    id,
    startedAt,
    outcome: 'completed',
    bundleAddresses: [`https://store.example.com/${id}.tgz`],
    ...fields,
  });
const exportsOfSites = new FakeExports(
  exported('running', 5, { outcome: 'running', bundleAddresses: undefined }),
  exported('newest', 4),
  exported('elsewhere', 3, { exportDomain: 'other.example.com' }),
  exported('otherApi', 2, { apiUrl: 'https://api.example.org' }),
  exported('old', 1),
);

describe('pickNewest', () => {
  const pickOf = async (node: unknown, ...answers: string[]) => {
    const ui = new ScriptedUi().answer(...answers);
    const view = await pickNewest({ exports: exportsOfSites, ui, clock: new FakeClock() }, node);
    return { id: view?.record.id, offered: ui.shown[0]?.options };
  };

  it('follows the site of a node to its newest completed export', async () => {
    const { id, offered } = await pickOf({ kind: 'group', ...site });
    assert.deepEqual([id, offered], ['newest', undefined]);
  });

  it('uses the export of a node, also an earlier one', async () => {
    assert.equal((await pickOf({ kind: 'export', id: 'old' })).id, 'old');
  });

  it('asks for the site, not for the job', async () => {
    const { id, offered } = await pickOf(undefined, 'docs.example.com');
    assert.equal(id, 'newest');
    assert.deepEqual(offered, ['docs.example.com', 'other.example.com', 'docs.example.com']);
  });
});

describe('replacedAddresses', () => {
  const replacedBy = (id: string): readonly string[] => {
    const view = exportsOfSites.list.find(({ record }) => record.id === id);
    assert.ok(view);
    return [...replacedAddresses(exportsOfSites, view.record)];
  };
  const addresses = (...ids: string[]): string[] =>
    ids.map((id) => `https://store.example.com/${id}.tgz`);

  it('are those of the export and of earlier exports of its site', () => {
    assert.deepEqual(replacedBy('newest'), addresses('newest', 'old'));
  });

  it('are never those of a later export', () => {
    assert.deepEqual(replacedBy('old'), addresses('old'));
  });
});

describe('parseExportNode', () => {
  for (const argument of [
    undefined,
    null,
    'e1',
    { kind: 'export' },
    { kind: 'export', id: 1 },
    { kind: 'other', id: 'e1' },
  ]) {
    it(`does not accept ${JSON.stringify(argument)} as a node`, () => {
      assert.equal(parseExportNode(argument), undefined);
    });
  }
});
