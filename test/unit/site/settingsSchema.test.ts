import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { settings, type SettingName } from '../../../src/common/contributions';
import { parseSettings, settingDefaults } from '../../../src/site/settingsSchema';

const parse = (configured: Record<string, unknown>) =>
  parseSettings((setting) => configured[setting]);

describe('parseSettings', () => {
  it('returns the defaults if nothing is configured', () => {
    assert.deepEqual(parse({}), { values: settingDefaults, problems: [] });
  });

  it('has the defaults that the manifest declares', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { configuration: { properties: Record<string, { default: unknown }> }[] };
    };
    const groups = manifest.contributes.configuration.map(({ properties }) => properties);
    const properties = Object.assign({}, ...groups) as (typeof groups)[number];
    for (const name of Object.keys(settings) as SettingName[]) {
      assert.deepEqual(properties[settings[name]]?.default, settingDefaults[name], name);
    }
  });

  it('accepts a base URL with a path, and drops the slash at its end', () => {
    const { values, problems } = parse({ [settings.baseUrl]: ' https://api.example.com/docs/ ' });
    assert.deepEqual([values.baseUrl, problems], ['https://api.example.com/docs', []]);
  });

  it('removes the API’s own path from a base URL', () => {
    for (const path of ['/v2', '/v2/', '/v2/assistant', '/v2/assistant/acme/message']) {
      const { values, problems } = parse({
        [settings.baseUrl]: `https://api.example.com/docs${path}`,
        [settings.domain]: 'other',
      });
      assert.deepEqual(
        [values.baseUrl, values.domain, problems],
        ['https://api.example.com/docs', 'other', []],
      );
    }
  });

  it('reads the site from the URL of the endpoint if the settings name none', () => {
    const address = 'https://api.example.com/v2/assistant/acme/message';
    assert.equal(parse({ [settings.baseUrl]: address }).values.domain, 'acme');
  });

  for (const [setting, value] of [
    [settings.baseUrl, 'api.example.com'],
    [settings.baseUrl, 'http://api.example.com'],
    [settings.baseUrl, 'https://user:pass@example.com'],
    [settings.domain, 'acme/../admin'],
    [settings.domain, '..'],
    [settings.fp, ''],
    [settings.retrievalPageSize, 0],
    [settings.retrievalPageSize, '5'],
    [settings.retrievalPageSize, 2.5],
    [settings.openSourcesIn, 'tab'],
    [settings.historySizeLimit, 0],
    [settings.timeoutSeconds, -1],
    [settings.maxSelectionSize, 1e9],
    [settings.logLevel, 'loud'],
  ] as const) {
    it(`reports ${setting} ${JSON.stringify(value)} and uses the default`, () => {
      const { values, problems } = parse({ [setting]: value });
      assert.deepEqual(values, settingDefaults);
      assert.deepEqual(
        problems.map((problem) => [problem.setting, problem.value]),
        [[setting, JSON.stringify(value)]],
      );
    });
  }

  it('keeps valid settings beside an invalid one', () => {
    const { values } = parse({ [settings.domain]: 'acme', [settings.logLevel]: 1 });
    assert.equal(values.domain, 'acme');
  });
});
