import { commands, settings } from '../../../../src/common/contributions';
import { answerPrompt, extensionApi, startAfresh, whenInComposer, whenOnDisk } from '../../asking';
import { begin, configure } from '../../exporting';
import { chat, workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

const hint = '.quick-input-widget .quick-input-message';

describe('before the window is reloaded', () => {
  const { site } = suiteEnvironment();

  before(startAfresh);

  it('a docs site is chosen that is not the one of the settings', async () => {
    const api = await extensionApi();
    api.useSite(undefined);
    await api.forgetSites();
    await configure(settings.baseUrl, undefined);
    await configure(settings.domain, undefined);
    const settingUp = begin(commands.setUpSite);
    for (const [asked, text] of [
      ['URL of the docs site', site.domain],
      ['base URL', site.url],
      ['assistant key', site.key],
    ] as const) {
      await workbench.waitFor(hint, { hasText: asked });
      await answerPrompt(text);
    }
    await settingUp;
    // The list of sites would close if the composer got the focus after it opened.
    await whenInComposer();
    await configure(settings.baseUrl, 'https://docs.example.invalid');
    await configure(settings.domain, 'default');
    await chat.waitFor('.site-label', { hasText: 'default · docs.example.invalid' });
    await chat.click('.site-button.switch-site');
    const label = `${site.domain} · ${new URL(site.url).host}`;
    await workbench.click('.quick-input-widget .monaco-list-row', { hasText: site.url });
    await chat.waitFor('.site-label', { hasText: label });
    await api.flush();
    // The state is JSON in JSON there. Its key `site` holds the ID of the chosen site.
    await whenOnDisk('\\"site\\":\\"');
  });
});
