import assert from 'node:assert/strict';
import { cloudDeployment, type SiteDeployment } from '../../../src/site/featureAvailability';
import { showFeatures } from '../../../src/site/features';
import type { HostedSite } from '../../../src/site/keptSite';
import { ScriptedDocsUi } from '../../fakes/scriptedDocsUi';

const acme: HostedSite = { baseUrl: 'https://api.example.com', domain: 'acme', label: 'Acme docs' };

async function show(answers: readonly (string | undefined)[], deployment?: SiteDeployment) {
  const ui = new ScriptedDocsUi();
  ui.answer(...answers);
  let site: HostedSite = { ...acme, deployment };
  await showFeatures({
    ui,
    site: () => site,
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

  it('needs a site', async () => {
    const ui = new ScriptedDocsUi();
    const setDeployment = () => Promise.reject(new Error('No site'));
    await assert.rejects(showFeatures({ ui, site: () => undefined, setDeployment }), {
      code: 'not-configured',
    });
  });
});
