/** `docs-assistant mcp --site` over the service of a company. */
import assert from 'node:assert/strict';
import { type ConnectedClient, connectClient } from '../cli/mcpProcess';
import { docsFolder } from '../service/localServiceAsking';
import { type Company, payments, startCompany } from './company';

describe('docs-assistant mcp with a site of a company’s service', () => {
  let docs: Awaited<ReturnType<typeof docsFolder>>;
  let company: Company;
  let connected: ConnectedClient;

  before(async () => {
    docs = await docsFolder({ 'refunds.md': payments });
    company = await startCompany({
      sites: [{ domain: 'pay', source: { kind: 'folder', path: docs.root } }],
    });
    connected = await connectClient({
      args: ['--site', 'pay', '--base-url', company.url],
      env: { DOCS_ASSISTANT_KEY: await company.newKey() },
    });
  });
  after(async () => {
    await connected.client.close();
    await company.end();
    await docs.remove();
  });

  const told = async (name: string, input: Record<string, unknown>): Promise<string> =>
    JSON.stringify((await connected.client.callTool({ name, arguments: input })).content);

  it('asks the site without looking what its service can do', async () => {
    assert.match(await told('ask_docs', { question: 'How long does a refund take?' }), /five days/);
    assert.ok(!company.log().includes('"route":"service"'));
  });

  it('searches the site, reads its pages, checks claims, and lists the pages', async () => {
    assert.match(await told('search_docs', { query: 'refund' }), /refunds#refund-a-payment/);
    for (const page of ['refunds', `${company.url}/sites/pay/docs/refunds`]) {
      assert.match(await told('read_docs_page', { page }), /A refund takes five days/);
    }
    assert.match(await told('check_claims', { text: 'A refund takes five days.' }), /refunds/);
    const { resources } = await connected.client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      ['docs://local/refunds'],
    );
    const { contents } = await connected.client.readResource({ uri: 'docs://local/refunds' });
    assert.match(JSON.stringify(contents), /five days/);
    // It has asked once which service this is.
    assert.equal(company.log().split('"route":"service"').length - 1, 1);
  });
});
