import assert from 'node:assert/strict';
import { exportCommands } from '../../../../src/common/contributions';
import { bundleHandlers } from '../../../../src/export/commands/bundleCommands';
import { bundlePorts } from '../../../builders/bundlePorts';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const HOUR = 60 * 60 * 1000;
const url = 'https://store.example.com/b.tar.gz?X-Amz-Signature=a';

describe('Get Bundle Link', () => {
  for (const [what, leftMs, sentence] of [
    ['a valid link', 2 * HOUR, 'The link expires in 2 h.'],
    ['a link without a date', undefined, 'The service didn’t say when the link expires.'],
    [
      'a link that has expired by the clock of this machine',
      -HOUR,
      'By the clock of this machine, the link has expired. Check the clock, then get a new link.',
    ],
  ] as const) {
    it(`copies ${what}, and says when it expires`, async () => {
      const ui = new ScriptedUi();
      const exports = new FakeExports(aView({ outcome: 'completed' }, { watch: { name: 'idle' } }));
      const ports = { ...bundlePorts('/site', ui), exports };
      const expiresAt = leftMs === undefined ? undefined : ports.clock.now() + leftMs;
      exports.bundleLink = () => Promise.resolve({ url, expiresAt });
      await bundleHandlers(ports)[exportCommands.getBundleLink]?.();
      assert.deepEqual(ui.copied, [url]);
      assert.equal(ui.texts('inform').at(-1), `Bundle link copied. ${sentence}`);
    });
  }
});
