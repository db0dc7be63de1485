import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { exportSettings } from '../../../../src/common/contributions';
import {
  exportSettingDefaults,
  parseExportSettings,
  type ExportSettingName,
} from '../../../../src/export/commands/settings';

const parse = (configured: Record<string, unknown>) =>
  parseExportSettings((setting) => configured[setting]);

describe('parseExportSettings', () => {
  it('returns the defaults if nothing is configured', () => {
    assert.deepEqual(parse({}), { values: exportSettingDefaults, problems: [] });
  });

  it('has the defaults that the manifest declares', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { configuration: { properties: Record<string, { default: unknown }> }[] };
    };
    const groups = manifest.contributes.configuration.map(({ properties }) => properties);
    const properties = Object.assign({}, ...groups) as (typeof groups)[number];
    for (const name of Object.keys(exportSettingDefaults) as ExportSettingName[]) {
      assert.equal(properties[exportSettings[name]]?.default, exportSettingDefaults[name], name);
    }
  });

  it('accepts a URL with a path, and trims text pasted around a site', () => {
    const { values, problems } = parse({
      [exportSettings.apiUrl]: ' https://api.example.com/docs/ ',
      [exportSettings.exportDomain]: 'https://Docs.example.com/start',
    });
    assert.deepEqual(
      [values.apiUrl, values.exportDomain, problems],
      ['https://api.example.com/docs', 'docs.example.com', []],
    );
  });

  it('removes the API’s own path from a URL', () => {
    for (const path of ['/v1', '/v1/', '/v1/static-export', '/v1/static-export/jobs']) {
      const address = `https://api.example.com/docs${path}`;
      const { values, problems } = parse({ [exportSettings.apiUrl]: address });
      assert.deepEqual([values.apiUrl, problems], ['https://api.example.com/docs', []]);
    }
  });

  for (const [setting, value] of [
    [exportSettings.apiUrl, 'http://api.example.com'],
    [exportSettings.apiUrl, 'https://user:secret@api.example.com'],
    [exportSettings.apiUrl, 7],
    [exportSettings.exportDomain, 'docs example'],
    [exportSettings.exportDomain, 'file:///etc/passwd'],
    [exportSettings.linkMustLastHours, -1],
    [exportSettings.linkMustLastHours, '24'],
  ] as const) {
    it(`reports ${setting} ${JSON.stringify(value)} and uses the default`, () => {
      const { values, problems } = parse({ [setting]: value });
      assert.deepEqual(values, exportSettingDefaults);
      assert.deepEqual(
        problems.map((problem) => [problem.setting, problem.value]),
        [[setting, JSON.stringify(value)]],
      );
    });
  }

  it('keeps valid settings beside an invalid one', () => {
    const { values } = parse({
      [exportSettings.apiUrl]: 'https://api.example.com',
      [exportSettings.exportDomain]: '??',
    });
    assert.equal(values.apiUrl, 'https://api.example.com');
  });
});
