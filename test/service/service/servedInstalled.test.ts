import assert from 'node:assert/strict';
import path from 'node:path';
import * as v from 'valibot';
import {
  type LocalDocsRoute,
  localDocsEndpoint,
  packageSetsSchema,
  packagesResponseSchema,
  type PagePlace,
  placeResponseSchema,
  searchResponseSchema,
} from '../../../src/common/localDocsApi';
import type { LocalService } from '../../../src/service/server/server';
import { startLocalService } from '../../../src/service/server/server';
import { Workspace } from '../docs/sources/installed/layouts';
import {
  ask,
  docsFolder,
  post,
  serviceDomain,
  serviceKey,
  userMessage,
} from './localServiceAsking';
import { sampleDocs } from './sampleService';

const manifest = (name: string, version: string, more: object = {}): object => ({
  name,
  version,
  ...more,
});

/** Files of a package whose answer names its version. */
const parcels = (version: string): Readonly<Record<string, string | object>> => ({
  'package.json': manifest('parcels', version, {
    description: 'Parcels by pigeon',
    homepage: 'https://parcels.example.com',
    types: 'index.d.ts',
  }),
  'README.md': `# Parcels\n\nText.\n\n## Retry\n\nParcels are retried five times in ${version}.\n`,
  'index.d.ts':
    'export interface Options {}\n\n/** Sends a parcel by pigeon. */\nexport declare function sendParcel(options: Options): void;\n',
});

const below = (folder: string, files: object): Record<string, string | object> =>
  Object.fromEntries(
    Object.entries(files).map(([file, text]) => [`${folder}/${file}`, text as string | object]),
  );

const app = (dependencies: object): object => ({ name: 'app', version: '1.0.0', dependencies });

/** Yarn's lookup, as far as the service uses it. */
const pnpFile = (folder: string): string => `
const path = require('node:path');
exports.findPackageLocator = () => ({ name: 'app' });
exports.resolveToUnqualified = (name) => {
  if (name === 'parcels') return path.join(__dirname, ${JSON.stringify(folder)});
  throw new Error('not found');
};
exports.resolveVirtual = () => null;
`;

describe('a local docs service of installed packages', () => {
  let workspace: Workspace;
  let service: LocalService;

  const startOver = (root: string): Promise<LocalService> =>
    startLocalService({
      docs: { kind: 'installed', folder: root },
      domain: serviceDomain,
      key: serviceKey,
      paceMs: 0,
      indexFolder: path.join(root, 'index'),
    });
  const request = async <Value>(
    route: LocalDocsRoute,
    schema: v.GenericSchema<unknown, Value>,
    body: object,
    asked = service,
  ): Promise<Value> => {
    const response = await fetch(localDocsEndpoint(asked.url, serviceDomain, route), {
      method: 'POST',
      headers: { authorization: `Bearer ${serviceKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return v.parse(schema, await response.json());
  };
  const placeOf = async (page: string, asked = service): Promise<PagePlace | undefined> =>
    (await request('place', placeResponseSchema, { page }, asked)).place;

  before(async () => {
    workspace = await Workspace.create({
      'package.json': app({ parcels: '^2.0.0', '@acme/birds': '^1.0.0' }),
      ...below('node_modules/parcels', parcels('2.1.0')),
      ...below('node_modules/@acme/birds', {
        'package.json': manifest('@acme/birds', '1.0.0'),
        'README.md': '# Birds\n\nPelicans are retried seven times. See [food](docs/food.md).\n',
        'docs/food.md': '# Food\n\nPelicans eat fish.\n',
      }),
      ...below('node_modules/deep', {
        'package.json': manifest('deep', '3.0.0'),
        'README.md': '# Deep\n\nWhales are retried nine times.\n',
      }),
    });
    service = await startOver(workspace.root);
    await service.whenIndexed();
  });
  after(async () => {
    await service.stop();
    await workspace.remove();
  });

  it('lists and counts the packages that the project asks for', async () => {
    assert.equal(await service.whenListed?.(), 2);
    const { pages, sizeBytes } = await service.whenIndexed();
    assert.ok(pages >= 4 && sizeBytes > 0);
    assert.deepEqual(await request('packages', packagesResponseSchema, {}), {
      packages: [
        { name: '@acme/birds', version: '1.0.0', description: '' },
        { name: 'parcels', version: '2.1.0', description: 'Parcels by pigeon' },
      ],
    });
  });

  it('answers with sources that name the package, its version and the section', async () => {
    const { text, sources } = await ask(service, 'How often is retried in parcels?');
    assert.match(text, /five times in 2\.1\.0/);
    assert.doesNotMatch(text, /seven times/);
    assert.equal(sources[0]?.title, 'parcels@2.1.0 › Retry');
  });

  it('answers from one package if a question is narrowed to it', async () => {
    const question = 'How often is it retried?';
    const birds = await ask(service, question, { package: '@acme/birds' });
    assert.match(birds.text, /seven times/);
    assert.doesNotMatch(birds.text, /five times/);
    // The project doesn't ask for it, but it is installed.
    assert.match((await ask(service, question, { package: 'deep' })).text, /nine times/);
  });

  it('answers from the installed package that owns an attached problem', async () => {
    const item = { type: 'textSelection', value: 'src/a.ts:1:1: error: parcels retried' };
    const context = [{ ...item, packages: ['eslint-plugin-ghost', '@acme/birds'] }];
    const { text } = await ask(service, 'How often is it retried?', { context });
    assert.match(text, /seven times/);
    assert.doesNotMatch(text, /five times/);
  });

  // Shows faults.md I14.
  it('refuses a question about a package that is not installed, and one to docs without packages', async () => {
    const refused = async (asked: LocalService, named: string): Promise<string> => {
      const messages = [userMessage('How?')];
      const response = await post(asked, { fp: 'anonymous', messages, package: named });
      assert.equal(response.status, 400);
      return response.text();
    };
    assert.match(await refused(service, 'ghost'), /no longer installed/);
    assert.match(await refused(service, 'parcels@1'), /installed in version 2\.1\.0/);
    assert.match(await refused(service, '../x'), /no longer installed/);
    const other = await startLocalService({
      docs: sampleDocs,
      domain: serviceDomain,
      key: serviceKey,
    });
    try {
      assert.match(await refused(other, 'parcels'), /have no packages/);
      const url = localDocsEndpoint(other.url, serviceDomain, 'packages');
      const headers = {
        authorization: `Bearer ${serviceKey}`,
        'content-type': 'application/json',
      };
      assert.equal((await fetch(url, { method: 'POST', headers, body: '{}' })).status, 404);
    } finally {
      await other.stop();
    }
  });

  it('finds the sets of a package, in which a search stays', async () => {
    const found = await request('package', packageSetsSchema, { package: '@acme/birds@1' });
    assert.deepEqual(found, { kind: 'found', sets: ['@acme/birds@1.0.0'] });
    const { sections } = await request('search', searchResponseSchema, {
      query: 'retried',
      sets: ['@acme/birds@1.0.0'],
    });
    assert.deepEqual([...new Set(sections.map(({ set }) => set?.label))], ['@acme/birds@1.0.0']);
  });

  it('names the file and the homepage of a cited page, and the line of a declaration', async () => {
    const { sources } = await ask(service, 'How often is retried in parcels?');
    const readme = await placeOf(sources[0]?.url ?? '');
    assert.deepEqual(readme, {
      package: 'parcels@2.1.0',
      path: 'README.md',
      file: workspace.at('node_modules/parcels/README.md'),
      isLinked: false,
      homepage: 'https://parcels.example.com/',
    });
    const declared = await ask(service, 'What does `sendParcel` of parcels do?');
    const types = await Promise.all(declared.sources.map(({ url }) => placeOf(url)));
    const declaration = types.find((place) => place?.path === 'index.d.ts');
    assert.equal(declaration?.line, 4);
    assert.equal(declaration.file, workspace.at('node_modules/parcels/index.d.ts'));
  });

  it('finds the file of a page that an earlier run cited, on another port', async () => {
    const fresh = await startOver(workspace.root);
    try {
      const old = 'http://127.0.0.1:1/sets/deep%403.0.0/docs/README.md';
      const place = await placeOf(old, fresh);
      assert.equal(place?.file, workspace.at('node_modules/deep/README.md'));
    } finally {
      await fresh.stop();
    }
  });

  // Shows faults.md I14.
  it('names no file for other addresses, for other versions, or outside of a package', async () => {
    for (const page of [
      'https://example.com/docs/README.md',
      `${service.url}/sets/parcels%401.0.0/docs/README.md`,
      `${service.url}/sets/parcels%402.1.0/docs/../../package.json`,
      `${service.url}/sets/parcels%402.1.0/docs/package.json`,
      `${service.url}/sets/..%2F..%2Fx/docs/README.md`,
      '/etc/passwd',
    ]) {
      assert.equal(await placeOf(page), undefined, page);
    }
  });

  it('shows the pages in a browser, without markup of theirs and with links to each other', async () => {
    const page = async (address: string): Promise<string> => {
      const response = await fetch(`${service.url}${address}`);
      assert.equal(response.status, 200, address);
      return response.text();
    };
    assert.match(await page('/'), /parcels@2\.1\.0/);
    const birds = await page('/sets/%40acme%2Fbirds%401.0.0/docs/README.md');
    assert.match(birds, /href="\/sets\/%40acme%2Fbirds%401\.0\.0\/docs\/docs\/food"/);
    assert.match(await page('/sets/%40acme%2Fbirds%401.0.0/docs/docs/food'), /Pelicans eat fish/);
    const { sources } = await ask(service, 'What does `sendParcel` of parcels do?');
    const api = sources
      .map(({ url }) => new URL(url).pathname)
      .find((one) => /\/docs\/./.test(one));
    assert.match(await page(api ?? ''), /sendParcel/);
    assert.equal((await fetch(`${service.url}/sets/ghost/docs/README.md`)).status, 404);
  });

  it('answers from docs beside the packages, and from both, in one reply', async () => {
    const product = await docsFolder({
      'guide.md': '# Guide\n\n## Limits\n\nThe shop is retried eleven times.\n',
      'start.md': '# Start\n\nBegin with the shop.\n',
    });
    const beside = { kind: 'folder', folder: product.root } as const;
    const docs = { kind: 'installed', folder: workspace.root, beside } as const;
    const both = await startLocalService({
      docs,
      domain: serviceDomain,
      key: serviceKey,
      paceMs: 0,
    });
    try {
      const { pages } = await both.whenIndexed();
      assert.equal(pages, (await service.whenIndexed()).pages + 2);
      const shop = await ask(both, 'How often is the shop retried?');
      assert.match(shop.text, /eleven times/);
      assert.deepEqual(shop.sources[0], {
        url: `${both.url}/docs/guide#limits`,
        title: 'Guide › Limits',
      });
      const named = await ask(both, 'How often is retried in parcels, and how often the shop?');
      const titles = named.sources.map(({ title }) => title);
      assert.ok(titles.includes('Guide › Limits'), titles.join());
      assert.ok(titles.includes('parcels@2.1.0 › Retry'), titles.join());
      const narrowed = await ask(both, 'How often is it retried?', { package: 'parcels' });
      assert.doesNotMatch(narrowed.text, /eleven/);
      assert.equal(await placeOf(`${both.url}/docs/guide#limits`, both), undefined);
      const place = await placeOf(`${both.url}/sets/parcels%402.1.0/docs/README.md`, both);
      assert.equal(place?.path, 'README.md');
      assert.match(await (await fetch(`${both.url}/docs/guide`)).text(), /eleven times/);
    } finally {
      await both.stop();
      await product.remove();
    }
  });

  it('answers for the project of the attached file, wherever in the workspace it is', async () => {
    const mono = await Workspace.create({
      'package.json': { name: 'top' },
      'apps/new/package.json': app({ parcels: '^2.0.0' }),
      ...below('apps/new/node_modules/parcels', parcels('2.9.0')),
      'apps/old/package.json': app({ parcels: '^1.0.0' }),
      ...below('apps/old/node_modules/parcels', parcels('1.3.0')),
    });
    const served = await startLocalService({
      docs: { kind: 'installed', folder: mono.at('apps/new'), root: mono.root },
      domain: serviceDomain,
      key: serviceKey,
      paceMs: 0,
    });
    const answerFor = async (file: string): Promise<string> => {
      const context = [{ type: 'code', value: "import 'parcels';", path: file }];
      return (await ask(served, 'How often is it retried?', { context })).text;
    };
    try {
      assert.match(await answerFor('apps/new/src/send.ts'), /five times in 2\.9\.0/);
      assert.match(await answerFor('apps/old/src/send.ts'), /five times in 1\.3\.0/);
      assert.match(await answerFor('../elsewhere/send.ts'), /five times in 2\.9\.0/);
    } finally {
      await served.stop();
      await mono.remove();
    }
  });

  it('answers in the layout of pnpm, whose packages are links', async () => {
    const pnpm = await Workspace.create({
      'package.json': app({ parcels: '^2.0.0' }),
      ...below('node_modules/.pnpm/parcels@2.4.0/node_modules/parcels', parcels('2.4.0')),
    });
    await pnpm.link(
      'node_modules/parcels',
      'node_modules/.pnpm/parcels@2.4.0/node_modules/parcels',
    );
    const served = await startOver(pnpm.root);
    try {
      const { text, sources } = await ask(served, 'How often is retried in parcels?');
      assert.match(text, /five times in 2\.4\.0/);
      assert.equal(
        (await placeOf(sources[0]?.url ?? '', served))?.file,
        pnpm.at('node_modules/.pnpm/parcels@2.4.0/node_modules/parcels/README.md'),
      );
    } finally {
      await served.stop();
      await pnpm.remove();
    }
  });

  it('names the file of what a package exports from others, of which only one package knows the next', async () => {
    const pnpm = await Workspace.create({
      'package.json': app({ whales: '1' }),
      ...below('store/whales', {
        'package.json': manifest('whales', '1.0.0'),
        'index.d.ts': "export * from 'swimming';\nexport * from 'plankton';\n",
      }),
      ...below('store/swimming', {
        'package.json': manifest('swimming', '1.0.0'),
        'index.d.ts': "export * from 'old-diving';\n",
      }),
      ...below('store/diving', {
        'package.json': manifest('diving', '1.0.0', { types: 'lib/diving.d.ts' }),
        'lib/diving.d.ts':
          '\n/** Dives for krill. */\nexport declare function diveForKrill(): void;\n',
      }),
      ...below('store/@types/plankton', {
        'package.json': manifest('@types/plankton', '1.0.0'),
        'index.d.ts': '/** Glows at night. */\nexport declare function glowAtNight(): void;\n',
      }),
    });
    await pnpm.link('node_modules/whales', 'store/whales');
    await pnpm.link('store/whales/node_modules/swimming', 'store/swimming');
    await pnpm.link('store/whales/node_modules/@types/plankton', 'store/@types/plankton');
    await pnpm.link('store/swimming/node_modules/old-diving', 'store/diving');
    const served = await startOver(pnpm.root);
    try {
      for (const [name, text, file, line] of [
        ['diveForKrill', /Dives for krill/, 'store/diving/lib/diving.d.ts', 3],
        ['glowAtNight', /Glows at night/, 'store/@types/plankton/index.d.ts', 2],
      ] as const) {
        const reply = await ask(served, `What does \`${name}\` of whales do?`);
        assert.match(reply.text, text);
        const place = await placeOf(reply.sources[0]?.url ?? '', served);
        assert.deepEqual([place?.file, place?.line], [pnpm.at(file), line]);
      }
    } finally {
      await served.stop();
      await pnpm.remove();
    }
  });

  it('answers from the archives of Plug’n’Play, and gives the text of their files', async () => {
    const pnp = await Workspace.create({
      'package.json': app({ parcels: '^3.0.0' }),
      '.pnp.cjs': pnpFile('.yarn/cache/parcels.zip/node_modules/parcels'),
    });
    await pnp.zip('.yarn/cache/parcels.zip', below('node_modules/parcels', parcels('3.0.0')));
    const served = await startOver(pnp.root);
    try {
      const { text, sources } = await ask(served, 'How often is retried in parcels?');
      assert.match(text, /five times in 3\.0\.0/);
      const place = await placeOf(sources[0]?.url ?? '', served);
      assert.match(place?.text ?? '', /^# Parcels/);
      assert.equal(place?.package, 'parcels@3.0.0');
    } finally {
      await served.stop();
      await pnp.remove();
    }
  });
});
