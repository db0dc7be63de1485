import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { Emitter } from '../../../../src/common/event';
import type { ExportNode } from '../../../../src/export/commands/pickExport';
import type { OpenedSite } from '../../../../src/export/commands/storedSites';
import type { RunningPreview } from '../../../../src/export/preview/previews';
import { ExportTreeNodes } from '../../../../src/export/tree/treeNodes';
import { anExport } from '../../../builders/exports';
import { FakeClock } from '../../../fakes/fakeClock';
import { aView, FakeExports } from '../../../fakes/fakeExports';

const start = anExport().startedAt;
const MINUTE = 60_000;
const idle = { watch: { name: 'idle' } } as const;

function aTree(...views: ReturnType<typeof aView>[]) {
  const clock = new FakeClock(start);
  const exports = new FakeExports(...views);
  const sites: { list: OpenedSite[] } = { list: [] };
  const previews: { list: RunningPreview[] } = { list: [] };
  const changed = new Emitter<void>();
  const nodes = new ExportTreeNodes({
    exports,
    sites: { ...sites, onDidChange: changed.event },
    previews: { ...previews, onDidChange: changed.event },
    reports: { has: () => false, onDidChange: changed.event },
    deployed: { at: () => undefined, onDidChange: changed.event },
    clock,
    translate: plainTranslate,
    language: 'en',
  });
  const told: (readonly ExportNode[] | undefined)[] = [];
  nodes.onDidChange((which) => told.push(which));
  /** Draws the tree as VS Code does: all roots, and the rows of the open ones. */
  const drawAll = (isOpen = false) => {
    const roots = nodes.children();
    for (const root of roots) {
      nodes.draw(root);
      if (isOpen) for (const row of nodes.children(root)) nodes.draw(row);
    }
    return roots;
  };
  return { clock, exports, sites, previews, changed, nodes, told, drawAll };
}

describe('ExportTreeNodes', () => {
  it('lists previews, exports newest first, and opened bundles', () => {
    const { sites, previews, nodes } = aTree(
      aView({ id: 'new', startedAt: start + 1 }),
      aView({ id: 'old' }),
    );
    previews.list.push({ id: 'p', url: 'http://127.0.0.1:1/', label: 'x', siteFolder: '/x' });
    sites.list.push({ folder: '/y', label: 'y' });
    assert.deepEqual(nodes.children(), [
      { kind: 'preview', id: 'p' },
      { kind: 'export', id: 'new' },
      { kind: 'export', id: 'old' },
      { kind: 'site', folder: '/y' },
    ]);
  });

  it('groups exports by site once there are two sites, the site with the newest export first', () => {
    const { nodes } = aTree(
      aView({ id: 'a3', startedAt: start + 3, exportDomain: 'a.example.com' }),
      aView({ id: 'b2', startedAt: start + 2, exportDomain: 'b.example.com' }),
      aView({ id: 'a1', startedAt: start + 1, exportDomain: 'a.example.com' }),
      aView({ id: 'local', startedAt: start, exportDomain: 'b.example.com', apiUrl: 'local' }),
    );
    const idsBelow = (node: ExportNode) =>
      nodes.children(node).map((child) => ('id' in child ? child.id : child.kind));
    const groups = nodes.children();
    assert.deepEqual(
      groups.map((group) => [nodes.draw(group)?.label, nodes.draw(group)?.description]),
      [
        ['a.example.com', '2 exports · api.example.com'],
        ['b.example.com', '1 export · api.example.com'],
        ['b.example.com', '1 export · the local docs service'],
      ],
    );
    assert.deepEqual(groups.map(idsBelow), [['a3', 'a1'], ['b2'], ['local']]);
    const [child] = nodes.children(groups[0]);
    assert.equal(nodes.parent(child!), groups[0]);
    assert.doesNotMatch(nodes.draw(child!)?.label ?? '', /example\.com/);
  });

  it('redraws the tree when an export of a second site is added or removed', async () => {
    const { clock, exports, nodes, told, drawAll } = aTree(aView());
    drawAll();
    exports.put(aView({ id: 'e2', startedAt: start + 1, exportDomain: 'b.example.com' }));
    await clock.advance(100);
    assert.deepEqual(
      drawAll().map(({ kind }) => kind),
      ['group', 'group'],
    );
    await exports.forget('e2');
    await clock.advance(100);
    assert.deepEqual(told, [undefined, undefined]);
    assert.deepEqual(nodes.children(), [{ kind: 'export', id: 'e1' }]);
  });

  it('redraws a site when its second export is added', async () => {
    const { clock, exports, told, drawAll } = aTree(
      aView(),
      aView({ id: 'e2', startedAt: 0, exportDomain: 'b.example.com' }),
    );
    drawAll();
    exports.put(aView({ id: 'e3', startedAt: start + 1 }));
    await clock.advance(100);
    assert.deepEqual(told, [undefined]);
  });

  it('returns the same objects each time, because VS Code identifies them by identity', () => {
    const { nodes } = aTree(aView());
    const [node] = nodes.children();
    assert.equal(nodes.children()[0], node);
    const [row] = nodes.children(node);
    assert.ok(row);
    assert.equal(nodes.children(node)[0], row);
    assert.equal(nodes.parent(row), node);
  });

  it('fires one event for an export that looks different, even after simultaneous changes', async () => {
    const { clock, exports, told, drawAll } = aTree(aView(), aView({ id: 'e2', startedAt: 0 }));
    const [first] = drawAll();
    for (let pages = 1; pages <= 50; pages++) exports.put(aView({ pages }));
    assert.equal(clock.pendingCount, 1);
    await clock.advance(100);
    assert.deepEqual(told, [[first]]);
  });

  it('fires no event if nothing looks different', async () => {
    const { clock, exports, told, drawAll } = aTree(aView());
    drawAll(true);
    exports.put(aView());
    await clock.advance(100);
    assert.deepEqual(told, []);
  });

  it('fires an event for the whole list when an export is added or removed', async () => {
    const { clock, exports, nodes, told, drawAll } = aTree(aView());
    drawAll();
    exports.put(aView({ id: 'e2', startedAt: start + 1 }));
    await clock.advance(100);
    assert.equal(drawAll().length, 2);
    await exports.forget('e1');
    await clock.advance(100);
    assert.deepEqual(told, [undefined, undefined]);
    assert.deepEqual(nodes.children(), [{ kind: 'export', id: 'e2' }]);
  });

  it('redraws an export when a row below it appears', async () => {
    const { clock, exports, told, drawAll } = aTree(aView({ outcome: 'completed' }, idle));
    const [first] = drawAll();
    exports.put(aView({ outcome: 'completed', siteFolder: '/exports/site' }, idle));
    await clock.advance(100);
    assert.ok(told[0]?.includes(first!));
  });

  it('counts a link down while it is visible, and only if the text changes', async () => {
    const { clock, nodes, told, drawAll } = aTree(
      aView({ outcome: 'completed', linkExpiresAt: start + 6 * MINUTE }, idle),
      aView({ id: 'e2', startedAt: 0, outcome: 'completed' }, idle),
    );
    const [first] = drawAll();
    nodes.setVisible(true);
    await clock.advance(50_000);
    assert.equal(told.length, 1);
    await clock.advance(10_000);
    told.length = 0;
    await clock.advance(10_000);
    assert.equal(told.length, 10);
    assert.ok(told.every((which) => which?.length === 1 && which[0] === first));
  });

  it('shows that the link has expired, and then stops its timer', async () => {
    const { clock, nodes, drawAll } = aTree(
      aView({ outcome: 'completed', linkExpiresAt: start + 3000 }, idle),
    );
    const [first] = drawAll();
    nodes.setVisible(true);
    await clock.advance(4000);
    assert.match(nodes.draw(first!)?.description ?? '', /link expired/);
    assert.equal(clock.pendingCount, 0);
  });

  it('runs no timer while it is not visible', async () => {
    const { clock, nodes, drawAll } = aTree(
      aView({ outcome: 'completed', linkExpiresAt: start + MINUTE }, idle),
    );
    drawAll();
    await clock.advance(1000);
    assert.equal(clock.pendingCount, 0);
    nodes.setVisible(true);
    await clock.advance(1000);
    assert.equal(clock.pendingCount, 1);
    nodes.setVisible(false);
    await clock.advance(1000);
    assert.equal(clock.pendingCount, 0);
  });

  it('stops its timers when it is disposed', async () => {
    const { clock, exports, nodes, told, drawAll } = aTree(aView());
    drawAll();
    nodes.setVisible(true);
    exports.put(aView({ pages: 1 }));
    nodes.dispose();
    assert.equal(clock.pendingCount, 0);
    await clock.advance(10_000);
    assert.deepEqual(told, []);
  });

  it('returns an empty line for a node that no longer exists', () => {
    const { nodes } = aTree();
    assert.equal(nodes.draw({ kind: 'export', id: 'gone' }), undefined);
    assert.deepEqual(nodes.children({ kind: 'export', id: 'gone' }), []);
  });
});
