import assert from 'node:assert/strict';
import { cloudDeployment, type SiteDeployment } from '../../../src/site/featureAvailability';
import { exportCommands } from '../../../src/common/contributions';
import { showFeatures, type SiteBundle } from '../../../src/site/features';
import type { HostedSite } from '../../../src/site/keptSite';
import { ScriptedUi } from '../../fakes/scriptedUi';

const acme: HostedSite = { baseUrl: 'https://api.example.com', domain: 'acme', label: 'Acme docs' };

async function show(
  answers: readonly (string | undefined)[],
  deployment?: SiteDeployment,
  bundle?: SiteBundle,
) {
  const ui = new ScriptedUi();
  ui.answer(...answers);
  let site: HostedSite = { ...acme, deployment };
  await showFeatures({
    ui,
    site: () => site,
    bundleOf: () => Promise.resolve(bundle),
    setDeployment: (of, next) => {
      assert.equal(of.domain, 'acme');
      site = { ...site, deployment: next };
      return Promise.resolve();
    },
  });
  return { ui, deployment: site.deployment };
}

describe('showFeatures', () => {
  it('shows the table of the site that is asked, which runs in the cloud unless it says more', async () => {
    const { ui, deployment } = await show([undefined]);
    assert.equal(ui.shown[0]?.text, 'Features of Acme docs');
    assert.equal(deployment, undefined);
    const texts = ui.lists[0]?.map((row) => ('value' in row ? row.description : ''));
    assert.deepEqual(texts, [
      'Cloud',
      'available',
      'available',
      'available',
      'available',
      'available',
      'no bundle on this machine',
    ]);
  });

  it('keeps the deployment type with the site, and shows what that changes', async () => {
    const { ui, deployment } = await show(['Deployment Type…', 'Air-gapped', undefined]);
    assert.deepEqual(deployment, { type: 'airGapped', isAssistantOn: true });
    const texts = ui.lists.at(-1)?.map((row) => ('value' in row ? row.description : ''));
    assert.deepEqual(texts, [
      'Air-gapped',
      'unavailable',
      'unavailable',
      'unavailable',
      'configurable',
      'available',
      'no bundle on this machine',
    ]);
  });

  it('turns the assistant of a client-hosted site off and on', async () => {
    const off = await show(['AI assistant', undefined], {
      type: 'clientHosted',
      isAssistantOn: true,
    });
    assert.deepEqual(off.deployment, { type: 'clientHosted', isAssistantOn: false });
    const on = await show(['AI assistant', undefined], {
      type: 'clientHosted',
      isAssistantOn: false,
    });
    assert.deepEqual(on.deployment, { type: 'clientHosted', isAssistantOn: true });
  });

  it('changes nothing for a feature without a switch, or if the reader cancels', async () => {
    assert.deepEqual(
      (await show(['AI assistant', undefined], cloudDeployment)).deployment,
      cloudDeployment,
    );
    assert.equal((await show(['Deployment Type…', undefined, undefined])).deployment, undefined);
  });

  const row = 'Search and answers in the bundle';
  for (const [name, bundle, description, detail, node] of [
    ['no bundle', undefined, 'no bundle on this machine', /^Export the site/, []],
    [
      'a bundle without them',
      { folder: '/sites/acme' },
      'not added',
      /^Select to add them to \/sites\/acme\./,
      [{ kind: 'site', folder: '/sites/acme' }],
    ],
    [
      'answers from its files',
      { folder: '/sites/acme', assistant: { since: Date.UTC(2026, 10, 26, 12) } },
      'since Nov 26, 2026',
      /^The files of the site answer\./,
      [{ kind: 'site', folder: '/sites/acme' }],
    ],
    [
      'answers of a service',
      {
        folder: '/sites/acme',
        assistant: { since: Date.UTC(2026, 10, 26, 12), service: 'https://api.example.com' },
      },
      'since Nov 26, 2026',
      /^The docs service https:\/\/api\.example\.com answers, or the files when it is away\./,
      [{ kind: 'site', folder: '/sites/acme' }],
    ],
  ] as const) {
    it(`says for ${name} what the site’s bundle has, and leads to the command`, async () => {
      const { ui } = await show([row], { type: 'airGapped', isAssistantOn: true }, bundle);
      const shown = ui.lists[0]?.find(({ label }) => label === row);
      assert.ok(shown && 'value' in shown);
      assert.equal(shown.description, description);
      assert.match(shown.detail ?? '', detail);
      assert.deepEqual(ui.ran, [[exportCommands.enhanceBundle, ...node]]);
    });
  }

  it('needs a site', async () => {
    const ui = new ScriptedUi();
    const setDeployment = () => Promise.reject(new Error('No site'));
    const bundleOf = () => Promise.resolve(undefined);
    await assert.rejects(showFeatures({ ui, site: () => undefined, setDeployment, bundleOf }), {
      code: 'not-configured',
    });
  });
});
