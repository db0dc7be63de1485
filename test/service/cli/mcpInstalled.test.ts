import assert from 'node:assert/strict';
import path from 'node:path';
import { Workspace } from '../docs/sources/installed/layouts';
import { sampleDocs } from '../service/sampleService';
import { connectClient, type ConnectedClient } from './mcpProcess';

describe('docs-assistant mcp, installed packages', () => {
  let workspace: Workspace;
  let connected: ConnectedClient;

  before(async () => {
    workspace = await Workspace.create({
      'package.json': { name: 'app', dependencies: { parcels: '^2.0.0', '@acme/birds': '^1.0.0' } },
      'node_modules/parcels/package.json': { name: 'parcels', version: '2.1.0' },
      'node_modules/parcels/README.md': '# Parcels\n\nParcels are retried five times.\n',
      'node_modules/parcels/index.d.ts':
        'export interface Options {}\n/** Sends a parcel by pigeon. */\nexport declare function sendParcel(options: Options): void;\n',
      'node_modules/@acme/birds/package.json': { name: '@acme/birds', version: '1.0.0' },
      'node_modules/@acme/birds/README.md': '# Birds\n\nPelicans are retried seven times.\n',
    });
    connected = await connectClient({
      args: ['--installed', workspace.root],
      env: { DOCS_ASSISTANT_CACHE: path.join(workspace.root, 'cache') },
    });
  });
  after(async () => {
    await connected.client.close();
    await workspace.remove();
  });

  async function call(
    name: string,
    input: Record<string, unknown>,
    { client }: ConnectedClient = connected,
  ): Promise<string> {
    const { content } = await client.callTool({ name, arguments: input });
    return JSON.stringify(content);
  }

  it('answers from the package that a call names, or whose import its code has', async () => {
    const question = 'How often are they retried?';
    const named = await call('ask_docs', { question, package: '@acme/birds@1' });
    assert.match(named, /seven times/);
    assert.doesNotMatch(named, /five times/);
    const imported = await call('ask_docs', { question, code: "import 'parcels';" });
    assert.match(imported, /five times/);
    assert.doesNotMatch(imported, /seven times/);
    const found = await call('search_docs', { query: 'retried', package: 'parcels' });
    assert.match(found, /parcels@2\.1\.0 › Parcels/);
    assert.doesNotMatch(found, /birds/);
  });

  it('reads pages by the paths that a search gave, and by the package', async () => {
    assert.match(await call('read_docs_page', { page: '@acme/birds@1.0.0/README.md' }), /Pelicans/);
    const input = { page: 'README.md', package: 'parcels' };
    assert.match(await call('read_docs_page', input), /five times/);
  });

  it('reads what a line of a package’s types declares', async () => {
    const found = await call('search_docs', { query: 'sendParcel', package: 'parcels' });
    const [page = ''] = /parcels@2\.1\.0\/api\/parcels#\w+/.exec(found) ?? [];
    assert.match(await call('read_docs_page', { page }), /by pigeon/, page);
    const line = await call('read_docs_page', { page: 'parcels@2.1.0/index.d.ts#L3' });
    assert.match(line, /by pigeon/);
  });

  it('lists the pages of each package as resources, and returns them', async () => {
    const { resources } = await connected.client.listResources();
    assert.deepEqual(
      resources.map(({ title }) => title),
      ['@acme/birds@1.0.0 › Birds', 'parcels@2.1.0 › Parcels', 'parcels@2.1.0 › parcels'],
    );
    const [birds] = resources;
    const { contents } = await connected.client.readResource({ uri: birds?.uri ?? '' });
    assert.match(JSON.stringify(contents), /Pelicans/);
  });

  it('refuses a package that is not installed, and one for docs without packages', async () => {
    const input = { question: 'How?', package: 'ghost' };
    assert.match(await call('ask_docs', input), /“ghost” is not installed here/);
    const other = await connectClient({ args: ['--docs', sampleDocs] });
    try {
      assert.match(await call('ask_docs', input, other), /they have no packages/);
    } finally {
      await other.client.close();
    }
  });
});
