import assert from 'node:assert/strict';
import { exportCommands } from '../../../../src/common/contributions';
import {
  deployedSiteHandlers,
  parseDeployedAddress,
} from '../../../../src/export/commands/deployedSite';
import { DeployedSites } from '../../../../src/export/commands/storedSites';
import { LOCAL_API } from '../../../../src/export/job/record';
import { aView, FakeExports } from '../../../fakes/fakeExports';
import { MemoryMemento } from '../../../fakes/memoryMemento';
import { ScriptedUi } from '../../../fakes/scriptedUi';

const node = { kind: 'export', id: 'e1' };
const site = { apiUrl: 'https://api.example.com', exportDomain: 'docs.example.com' };

function someHandlers(...views: ReturnType<typeof aView>[]) {
  const ui = new ScriptedUi();
  const memento = new MemoryMemento();
  const deployed = new DeployedSites(memento);
  const handlers = deployedSiteHandlers({ exports: new FakeExports(...views), deployed, ui });
  const open = (argument?: unknown) => handlers[exportCommands.openDeployed]?.(argument);
  const change = (argument?: unknown) => handlers[exportCommands.changeDeployed]?.(argument);
  return { ui, memento, deployed, open, change };
}

describe('Open Deployed Site', () => {
  it('asks once for the URL, suggests the domain, and then only opens the site', async () => {
    const { ui, open } = someHandlers(aView({ outcome: 'completed' }), aView({ id: 'e2' }));
    ui.answer('https://docs.example.com/');
    await open(node);
    assert.equal(ui.prompts[0]?.value, 'https://docs.example.com/');
    await open({ kind: 'export', id: 'e2' });
    assert.equal(ui.prompts.length, 1);
    assert.deepEqual(ui.opened, ['https://docs.example.com/', 'https://docs.example.com/']);
  });

  it('opens and keeps nothing when it is canceled', async () => {
    const { ui, deployed, open } = someHandlers(aView({ outcome: 'completed' }));
    ui.answer(undefined);
    await open(node);
    assert.deepEqual([ui.opened, deployed.at(site)], [[], undefined]);
  });

  it('suggests nothing for the local docs service, whose domain is no host', async () => {
    const { ui, open } = someHandlers(aView({ apiUrl: LOCAL_API, exportDomain: 'sample' }));
    await open(node);
    assert.equal(ui.prompts[0]?.value, '');
  });

  it('keeps a URL for each site', async () => {
    const { ui, deployed, open } = someHandlers(
      aView({ id: 'e1' }),
      aView({ id: 'e2', exportDomain: 'b.example.com' }),
    );
    ui.answer('b.example.com', 'intranet.example.com/docs');
    await open();
    assert.deepEqual(ui.opened, ['https://intranet.example.com/docs']);
    assert.equal(deployed.at(site), undefined);
  });

  it('opens the site of the selected row', async () => {
    const { ui, deployed, open } = someHandlers();
    await deployed.set(site, 'https://docs.acme.com/');
    await open({ kind: 'group', ...site });
    assert.deepEqual(ui.opened, ['https://docs.acme.com/']);
  });

  it('says so if nothing was exported', async () => {
    const { ui, open } = someHandlers();
    await open();
    assert.deepEqual(ui.texts('inform'), ['The list of exports is empty.']);
  });

  it('keeps the input open until the URL is valid', async () => {
    const { ui, open } = someHandlers(aView({ outcome: 'completed' }));
    ui.answer('javascript:alert(1)', 'https://docs.example.com');
    await open(node);
    assert.deepEqual(
      ui.remarks.map(({ kind }) => kind),
      ['error'],
    );
    assert.deepEqual(ui.opened, ['https://docs.example.com/']);
  });

  it('opens no invalid URL that another version or program stored', async () => {
    const { ui, memento, open } = someHandlers(aView({ outcome: 'completed' }));
    const sites = [{ ...site, url: 'javascript:alert(1)' }];
    await memento.update('deployedSites', { schemaVersion: 1, sites });
    await open(node);
    assert.deepEqual(ui.opened, []);
    assert.equal(ui.prompts.length, 1);
  });
});

describe('Change URL of Deployed Site', () => {
  it('suggests the stored URL and replaces it, without opening anything', async () => {
    const { ui, deployed, change } = someHandlers(aView({ outcome: 'completed' }));
    await deployed.set(site, 'https://old.example.com/');
    ui.answer('https://new.example.com/');
    await change(node);
    assert.equal(ui.prompts[0]?.value, 'https://old.example.com/');
    assert.deepEqual([deployed.at(site), ui.opened], ['https://new.example.com/', []]);
  });
});

describe('DeployedSites', () => {
  it('forgets the site with the oldest URL when there are too many', async () => {
    const deployed = new DeployedSites(new MemoryMemento());
    const numbered = (number: number) => ({ ...site, exportDomain: `${number}.example.com` });
    for (let number = 0; number <= 50; number++) {
      await deployed.set(numbered(number), 'https://x.example.com/');
    }
    assert.equal(deployed.at(numbered(0)), undefined);
    assert.equal(deployed.at(numbered(1)), 'https://x.example.com/');
  });
});

describe('parseDeployedAddress', () => {
  for (const [text, url] of [
    ['https://docs.example.com', 'https://docs.example.com/'],
    ['  http://intranet:8080/docs/ ', 'http://intranet:8080/docs/'],
    ['docs.example.com/v2', 'https://docs.example.com/v2'],
    ['localhost:8080', 'https://localhost:8080/'],
    ['https://s.example.com/b?X-Amz-Signature=CANARY#x', 'https://s.example.com/b'],
  ] as const) {
    it(`reads ${text} as ${url}`, () => {
      assert.deepEqual(parseDeployedAddress(text), { ok: true, url });
    });
  }

  for (const text of [
    '',
    '   ',
    'two words',
    'https://',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://publisher.extension',
    'command:workbench.action.quit',
    'https://user:pass@docs.example.com/',
    `https://docs.example.com/${'x'.repeat(2000)}`,
  ]) {
    // Shows faults.md C12.
    it(`refuses “${text.slice(0, 40)}”`, () => {
      assert.equal(parseDeployedAddress(text).ok, false);
    });
  }
});
