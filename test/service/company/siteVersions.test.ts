import assert from 'node:assert/strict';
import { docsFolder } from '../service/localServiceAsking';
import { audience, type Company, type Provider, startCompany, startProvider } from './company';

describe('a version whose folder the manifest names, at the service of a company', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let provider: Provider;
  let company: Company;
  const found = async (key: string, version: string): Promise<unknown> => {
    const request = { query: 'install', filter: { version } };
    const answer = await company.post('/local/v1/app/search', key, request);
    const { sections } = (await answer.json()) as { sections: { path: string; version: string }[] };
    return sections.map(({ path, version: of }) => `${path} ${of}`);
  };
  const versions = async (key: string): Promise<unknown> =>
    ((await (await company.post('/local/v1/app/filters', key, {})).json()) as { versions: unknown })
      .versions;

  before(async () => {
    const page = '# Install\n\n## Install it\n\nInstall it with the installer.\n';
    docs = await docsFolder({
      'v1/install.md': page,
      'next/install.md': page,
      'lab/install.md': page,
      'draft/install.md': page,
      'draft/remove.md': page,
      'main/install.md': page,
      'main/old.md':
        '---\nversion: v1\n---\n# Upgrade\n\n## From old ones\n\nStop what runs, then install it.\n',
    });
    provider = await startProvider();
    company = await startCompany({
      signIn: { issuer: provider.issuer, audience },
      sites: [
        {
          domain: 'app',
          source: { kind: 'folder', path: docs.root },
          versions: [
            'v1',
            { name: 'v2', folder: './main/' },
            { name: 'v3', folder: 'next', groups: ['beta'] },
            { name: 'v4', folder: 'lab', groups: ['engineers'] },
            { name: 'v5', folder: 'draft', groups: ['writers'] },
          ],
        },
      ],
    });
  });
  after(async () => {
    await company.end();
    await provider.stop();
    await docs.remove();
  });

  it('is the version of the pages below it, unless they say another', async () => {
    const key = await company.newKey();
    assert.deepEqual(await versions(key), ['v2', 'v1']);
    assert.deepEqual(await found(key, '2'), ['main/install#install-it v2']);
    assert.deepEqual(await found(key, 'v1'), [
      'v1/install#install-it v1',
      'main/old#from-old-ones v1',
    ]);
    assert.deepEqual(await found(key, 'v3'), []);
  });

  it('is that of restricted pages for those who may see them', async () => {
    const token = await provider.token({ sub: 'ann', groups: ['beta'] });
    assert.deepEqual(await versions(token), ['v3', 'v2', 'v1']);
    assert.deepEqual(await found(token, 'v3'), ['next/install#install-it v3']);
  });

  it('has its pages in the first view of those who may see them', async () => {
    const engineer = await provider.token({ sub: 'bob', groups: ['engineers'] });
    const page = await company.get('/sites/app/docs/lab/install', engineer);
    assert.equal(page.status, 200);
    const writer = await provider.token({ sub: 'eve', groups: ['writers'] });
    assert.match(await (await company.get('/sites/app/', writer)).text(), /Pages: 5\./);
  });
});
