import assert from 'node:assert/strict';
import { exportCommands } from '../../../../src/common/contributions';
import { reachableLinks } from '../../../../src/export/commands/reachableLinks';
import { FakeClock } from '../../../fakes/fakeClock';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const node = { kind: 'export', id: 'e1' };

/** Runs the command for an export whose site is air-gapped or not, with the answer to the warning. */
async function insert(isAirGapped: boolean, answer?: string, argument: unknown = node) {
  const ui = new ScriptedUi();
  ui.answer(answer);
  const inserted: unknown[] = [];
  const asked: string[] = [];
  const handlers = reachableLinks(
    { [exportCommands.insertDeployment]: (given) => Promise.resolve(void inserted.push(given)) },
    {
      exports: new FakeExports(aView({ id: 'e1', outcome: 'completed' })),
      ui,
      clock: new FakeClock(),
      isAirGapped: (exportDomain) => {
        asked.push(exportDomain);
        return isAirGapped;
      },
    },
  );
  await handlers[exportCommands.insertDeployment]?.(argument);
  return { ui, inserted, asked };
}

describe('reachableLinks', () => {
  it('lets a site with a network have its link, without a word', async () => {
    const { ui, inserted, asked } = await insert(false);
    assert.deepEqual(inserted, [node]);
    assert.deepEqual(asked, ['docs.example.com']);
    assert.deepEqual(ui.shown, []);
  });

  it('says that the link is unavailable on an air-gapped site, and offers the download', async () => {
    const { ui, inserted } = await insert(true, 'Download Bundle…');
    assert.match(ui.texts('warn')[0] ?? '', /unavailable on an air-gapped site/);
    assert.deepEqual(ui.ran, [[exportCommands.downloadBundle, node]]);
    assert.deepEqual(inserted, []);
    const dismissed = await insert(true);
    assert.deepEqual([dismissed.inserted, dismissed.ui.ran], [[], []]);
  });

  it('goes on if the user wants that, for a mirror in the site’s network', async () => {
    assert.deepEqual((await insert(true, 'Use the Link Anyway')).inserted, [node]);
  });

  it('finds the export first if the command palette names none', async () => {
    const { asked, inserted } = await insert(false, undefined, null);
    assert.deepEqual(asked, ['docs.example.com']);
    assert.deepEqual(inserted, [node]);
  });
});
