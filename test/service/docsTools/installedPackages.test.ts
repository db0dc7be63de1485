import assert from 'node:assert/strict';
import type { DocsTools } from '../../../src/docsTools/docsTools';
import type { LocalService } from '../../../src/service/server/server';
import { startLocalService } from '../../../src/service/server/server';
import { Workspace } from '../docs/sources/installed/layouts';
import { serviceDomain, serviceKey } from '../service/localServiceAsking';
import { aCall, localTarget, toolsOver } from './toolsOver';

describe('the docs tools of a window that asks installed packages', () => {
  let workspace: Workspace;
  let service: LocalService;

  before(async () => {
    workspace = await Workspace.create({
      'package.json': { name: 'app', dependencies: { parcels: '^2.0.0', '@acme/birds': '^1.0.0' } },
      'node_modules/parcels/package.json': { name: 'parcels', version: '2.1.0' },
      'node_modules/parcels/README.md': '# Parcels\n\nParcels are retried five times.\n',
      'node_modules/@acme/birds/package.json': { name: '@acme/birds', version: '1.0.0' },
      'node_modules/@acme/birds/README.md': '# Birds\n\nPelicans are retried seven times.\n',
    });
    service = await startLocalService({
      docs: { kind: 'installed', folder: workspace.root },
      domain: serviceDomain,
      key: serviceKey,
      paceMs: 0,
    });
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await workspace.remove();
  });

  const tools = (hasWriter: boolean): DocsTools => {
    const target = localTarget(service.url, service.key);
    assert.ok(target.local);
    const settings = { ...target.settings, hasPackages: true };
    return toolsOver({
      ...target,
      settings,
      local: { ...target.local, hasWriter, hasPackages: true },
    });
  };
  const question = 'How often are they retried?';

  for (const [what, hasWriter] of [
    ['with sections', false],
    ['with a reply', true],
  ] as const) {
    it(`answer from the package that a call names, ${what}`, async () => {
      const input = { question, package: '@acme/birds@1' };
      const { text, data } = await tools(hasWriter).ask(input, aCall());
      assert.match(text, /seven times/);
      assert.doesNotMatch(text, /five times/);
      const { path = '' } = data.sources[0] ?? {};
      assert.match(path, /^@acme\/birds@1\.0\.0\//);
      const page = await tools(hasWriter).readPage({ page: path }, aCall());
      assert.match(page.text, /seven times/);
    });
  }

  it('say which packages of a question are not installed, or not in its version', async () => {
    const query = 'How often does @acme/fish retry, and parcels@3?';
    const said =
      /“@acme\/fish” is not installed here\. “parcels@3” is not installed here: version 2\.1\.0 is\. /;
    const asked = await tools(false).ask({ question: query }, aCall());
    const searched = await tools(false).search({ query }, aCall());
    for (const { text } of [asked, searched]) {
      assert.match(text, said);
      assert.match(text, /five times/);
    }
    assert.match(
      (await tools(false).search({ query: '@acme/fish' }, aCall())).text,
      /^“@acme\/fish” is not installed here\. Nothing/,
    );
    const replied = await tools(true).ask({ question: query }, aCall());
    assert.match(replied.text, /`@acme\/fish` is not installed here\./);
  });

  it('search, and read pages by the paths that a search gave', async () => {
    const { data } = await tools(false).search({ query: 'retried', package: 'parcels' }, aCall());
    const [found] = data.sections;
    assert.equal(found?.path, 'parcels@2.1.0/README.md');
    const page = await tools(false).readPage({ page: found.path }, aCall());
    assert.match(page.text, /five times/);
  });

  it('check claims against the package that a call names', async () => {
    const text = 'Pelicans are retried seven times.';
    const verdict = async (named?: string): Promise<string | undefined> =>
      (await tools(false).checkClaims({ text, package: named }, aCall())).data.claims[0]?.verdict;
    assert.equal(await verdict(), 'supported');
    assert.equal(await verdict('@acme/birds'), 'supported');
    assert.equal(await verdict('parcels'), 'unsupported');
    await assert.rejects(verdict('ghost'), /“ghost” is not installed here/);
  });

  it('say that a package is not installed, and that other docs have none', async () => {
    const ghost = { question, package: 'ghost' };
    await assert.rejects(tools(false).ask(ghost, aCall()), /“ghost” is not installed here/);
    const old = { question, package: 'parcels@1' };
    await assert.rejects(tools(false).ask(old, aCall()), /version 2\.1\.0 is/);
    const other = toolsOver(localTarget(service.url, service.key));
    await assert.rejects(other.ask(ghost, aCall()), /not those of installed packages/);
  });
});
