import assert from 'node:assert/strict';
import { docsArguments } from '../../../../src/docsTools/mcp/docsArguments';
import type { LocalSite } from '../../../../src/common/localSite';
import type { AskSettings } from '../../../../src/site/activeSite';

const settings: AskSettings = {
  baseUrl: 'https://api.example',
  assistantDomain: 'acme',
  fp: 'anonymous',
  retrievalPageSize: 5,
  filter: {},
  idleTimeoutMs: 1,
  headersTimeoutMs: 1,
};
const service: LocalSite = { url: 'http://127.0.0.1:1', domain: 'local', key: 'local_dsc_1' };

describe('docsArguments', () => {
  it('name a hosted site, whose key stays out', () => {
    assert.deepEqual(docsArguments({ askSettings: settings, local: undefined }), {
      args: ['mcp', '--site', 'acme', '--base-url', 'https://api.example'],
      needsKey: true,
    });
  });

  it('keep the filter of the window', () => {
    const filter = { version: 'v2', language: 'de', groups: ['a', 'b'] };
    const { args } =
      docsArguments({ askSettings: { ...settings, filter }, local: undefined }) ?? assert.fail();
    assert.deepEqual(args.slice(5), [
      ...['--filter-version', 'v2', '--filter-language', 'de'],
      ...['--filter-group', 'a', '--filter-group', 'b'],
    ]);
  });

  for (const [what, site, docs] of [
    ['a folder', { docsFolder: '/docs', docs: { kind: 'folder' } }, '/docs'],
    ['a bundle', { docs: { kind: 'bundle', bundleFolder: '/bundle' } }, '/bundle'],
    [
      'a public site by its URL, not by the pages that were fetched',
      { docsFolder: '/cache', docs: { kind: 'site', siteUrl: 'https://docs.example' } },
      'https://docs.example',
    ],
  ] as const) {
    it(`name ${what}`, () => {
      assert.deepEqual(docsArguments({ askSettings: settings, local: { ...service, ...site } }), {
        args: ['mcp', '--docs', docs],
        needsKey: false,
      });
    });
  }

  it('name the folder of installed packages', () => {
    const docs = { kind: 'installed', installedFolder: '/work/app' } as const;
    const local = { ...service, docs };
    assert.deepEqual(docsArguments({ askSettings: settings, local })?.args, [
      'mcp',
      '--installed',
      '/work/app',
    ]);
  });

  it('are undefined before set-up, and for docs that another process serves', () => {
    const { baseUrl: _baseUrl, ...rest } = settings;
    const askSettings = { ...rest, baseUrl: undefined };
    assert.equal(docsArguments({ askSettings, local: undefined }), undefined);
    assert.equal(docsArguments({ askSettings: settings, local: service }), undefined);
  });
});
