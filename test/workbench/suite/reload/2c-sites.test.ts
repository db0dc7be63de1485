import assert from 'node:assert/strict';
import { settings } from '../../../../src/common/contributions';
import { updateUserSetting } from '../../../../src/vscode/settings';
import { ask, extensionApi, focusChat, newThread } from '../../asking';
import { chat } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

describe('after the window is reloaded', () => {
  const { site } = suiteEnvironment();

  before(async () => {
    await focusChat();
    // The suite’s local service stands before the hosted site that the workspace chose.
    (await extensionApi()).useSite(undefined);
  });

  after(async () => {
    const api = await extensionApi();
    await api.forgetSites();
    for (const setting of [settings.baseUrl, settings.domain]) {
      await updateUserSetting(setting, undefined);
    }
    api.useSite(site);
  });

  it('the site that this workspace chose is asked again, with its key', async () => {
    const label = `${site.domain} · ${new URL(site.url).host}`;
    await chat.waitFor('.site-label', { hasText: label });
    await newThread();
    assert.match(await ask('How do I create a shipment?'), /shipment/i);
  });
});
