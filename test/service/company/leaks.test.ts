/** Looks for what others see of restricted pages: five groups, five sites, and every way to ask. */
import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { docsFolder } from '../service/localServiceAsking';
import { type PostgresServer, startPostgres } from './postgresServer';
import { audience, type Company, type Provider, startCompany, startProvider } from './company';

const groups = ['red', 'green', 'blue', 'gold', 'gray'] as const;
type Group = (typeof groups)[number];

/** Words that only the restricted pages of a group have. */
const canaries = (group: Group): readonly string[] => [`zyx${group}canary`, `Quokka${group}`];
const page = (group: Group): string =>
  `---\ntitle: Quokka${group} rollout\ngroups: [zyx${group}canary]\n---\n\n## Zyx${group}canary timeout\n\nThe rollout of webhooks waits for zyx${group}canary for 17 seconds. Set \`zyx${group}canary\` in the rollout settings.\n`;
const open = '# Webhooks\n\n## Rollout\n\nThe rollout of webhooks waits for ten seconds.\n';

interface Asker {
  readonly name: string;
  readonly key: string;
  readonly groups: readonly Group[];
}

for (const backend of ['files', 'PostgreSQL'] as const)
  describe(`restricted pages in ${backend}`, function () {
    let server: PostgresServer | undefined;
    let provider: Provider;
    let company: Company;
    let admin: string;
    let docs: Awaited<ReturnType<typeof docsFolder>>;
    let askers: readonly Asker[];
    /** Site of a group: all of it is restricted, or one version of it. */
    const siteOf = (group: Group): string => `site-${group}`;
    const isWhole = (group: Group): boolean => groups.indexOf(group) < 2;

    before(async function () {
      if (backend === 'PostgreSQL') {
        server = await startPostgres();
        if (!server) this.skip();
      }
      provider = await startProvider();
      docs = await docsFolder(
        Object.fromEntries(
          groups.flatMap((group) => [
            [`${group}/v1/webhooks.md`, open],
            [`${group}/v2/rollout.md`, page(group)],
            // This page doesn't say its version: its folder does, as the manifest tells.
            [`${group}/next/rollout.md`, page(group)],
          ]),
        ),
      );
      const database = await server?.newDatabase();
      company = await startCompany(
        {
          signIn: { issuer: provider.issuer, audience },
          sites: groups.map((group) => ({
            domain: siteOf(group),
            name: `Site ${group}`,
            source: { kind: 'folder', path: `${docs.root}/${group}` },
            groups: isWhole(group) ? [group] : undefined,
            versions: isWhole(group)
              ? undefined
              : [
                  'v1',
                  { name: 'v2', groups: [group] },
                  { name: 'v3', folder: 'next', groups: [group] },
                ],
          })),
        },
        { database },
      );
      const person = async (...own: Group[]): Promise<Asker> => ({
        name: `a person in ${own.join(' and ') || 'no group'}`,
        key: await provider.token({ sub: own.join('-') || 'nobody', groups: own }),
        groups: own,
      });
      askers = [
        { name: 'an assistant key', key: await company.newKey(), groups: [] },
        await person(),
        ...(await Promise.all(groups.map((group) => person(group)))),
        await person('red', 'gold'),
      ];
      admin = await company.newKey({ kind: 'admin', name: 'admin' });
      // People who may see a page ask first, so that all that a question leaves behind is there.
      for (const group of groups) {
        const asker = askers.find(({ groups: [own] }) => own === group);
        assert.ok(asker);
        for (const way of ways) assert.ok(await way.ask(group, asker), `${way.name} in ${group}`);
      }
    });
    after(async () => {
      if (backend === 'PostgreSQL' && !server) return;
      await company.end();
      await provider.stop();
      await docs.remove();
      await server?.remove();
    });

    const posted = async (path: string, asker: Asker, body: unknown): Promise<string> => {
      const response = await company.post(path, asker.key, body);
      return JSON.stringify([...response.headers]) + (await response.text());
    };
    const local = (route: string, body: (group: Group) => object, name = route) => ({
      name,
      ask: (group: Group, asker: Asker) =>
        posted(`/local/v1/${siteOf(group)}/${route}`, asker, body(group)),
    });
    /** Texts with which somebody could fish: words of the page itself aren't among them, as an error may repeat them. */
    const question = 'How long does the rollout of webhooks wait?';
    const message = (text: string, fields: object = {}): object => ({
      fp: 'anonymous',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }],
      ...fields,
    });
    const mcp = async (
      group: Group,
      asker: Asker,
      call: (client: Client) => Promise<unknown>,
    ): Promise<string> => {
      const client = new Client({ name: 'test', version: '1.0.0' });
      try {
        await client.connect(
          new StreamableHTTPClientTransport(new URL(`${company.url}/mcp/${siteOf(group)}`), {
            requestInit: { headers: { authorization: `Bearer ${asker.key}` } },
          }),
        );
        return JSON.stringify(await call(client));
      } catch (error) {
        return `${String(error)} ${JSON.stringify(error)}`;
      } finally {
        await client.close();
      }
    };
    const tool = (name: string, input: object, title = `MCP ${name}`) => ({
      name: title,
      ask: (group: Group, asker: Asker) =>
        mcp(group, asker, (client) => client.callTool({ name, arguments: { ...input } })),
    });
    const ways: readonly {
      readonly name: string;
      readonly ask: (group: Group, asker: Asker) => Promise<string>;
    }[] = [
      {
        name: 'a question',
        ask: (group, asker) =>
          posted(`/v2/assistant/${siteOf(group)}/message`, asker, message(question)),
      },
      {
        name: 'a question with a filter, a path and 100 results',
        ask: (group, asker) =>
          posted(
            `/v2/assistant/${siteOf(group)}/message`,
            asker,
            message(`${question} rolout quoka`, {
              filter: { version: 'v2' },
              currentPath: '/v2/rollout',
              retrievalPageSize: 100,
            }),
          ),
      },
      local('search', () => ({ query: question, limit: 50, isWhole: true })),
      local('page', () => ({ page: 'v2/rollout' })),
      local('page', () => ({ page: 'rolout' }), 'the suggestions for a page'),
      local('page', () => ({ page: 'next/rollout.md' }), 'page of a folder'),
      local('pages', () => ({})),
      local('filters', () => ({})),
      local('claims', () => ({
        text: 'The rollout waits for 17 seconds. Set the rollout settings.',
      })),
      local('proof', () => ({
        text: 'The rollout waits for 17 seconds.',
        cited: ['v2/rollout', 'v1/webhooks'],
        readersTexts: [],
      })),
      local('packages', () => ({})),
      local('search', () => ({}), 'an error'),
      {
        name: 'pages in a browser',
        ask: async (group, asker) => {
          let all = '';
          for (const path of [
            '',
            'docs/v2/rollout',
            'docs/next/rollout',
            'docs/',
            'docs/rollout',
          ]) {
            for (const key of [asker.key, undefined]) {
              const response = await company.get(`/sites/${siteOf(group)}/${path}`, key, {
                redirect: 'manual',
              });
              // Only what comes without a key is checked against the asker's groups twice.
              if (key === undefined && asker.groups.includes(group)) continue;
              all += JSON.stringify([...response.headers]) + (await response.text());
            }
          }
          return `${all} `;
        },
      },
      {
        name: 'the list of sites',
        ask: async (group, asker) => {
          const response = await company.get('/service/v1/sites', asker.key);
          const { sites } = (await response.json()) as { sites: { domain: string }[] };
          const isListed = sites.some(({ domain }) => domain === siteOf(group));
          const mayAsk = !isWhole(group) || asker.groups.includes(group);
          assert.equal(isListed, mayAsk);
          return 'checked';
        },
      },
      tool('ask_docs', { question }),
      tool('search_docs', { query: question, limit: 20 }),
      tool('read_docs_page', { page: 'v2/rollout' }),
      tool('read_docs_page', { page: 'rolout' }, 'the suggestions of MCP'),
      tool('check_claims', { text: 'The rollout of webhooks waits for 17 seconds.' }),
      {
        name: 'MCP resources',
        ask: (group, asker) =>
          mcp(group, asker, async (client) => [
            await client.listResources(),
            await client
              .readResource({ uri: 'docs://local/v2/rollout' })
              .catch((error: unknown) => String(error)),
          ]),
      },
    ];

    const traces = (text: string, group: Group): readonly string[] =>
      canaries(group).filter((canary) => text.toLowerCase().includes(canary.toLowerCase()));

    it('are found by those who may see them', async () => {
      for (const group of groups) {
        const asker = askers.find(({ groups: [own] }) => own === group);
        assert.ok(asker);
        for (const name of ['a question', 'search', 'page', 'pages', 'MCP search_docs']) {
          const way = ways.find((one) => one.name === name);
          assert.ok(way);
          assert.notDeepEqual(traces(await way.ask(group, asker), group), [], `${name}, ${group}`);
        }
      }
    });

    for (const { name, ask } of ways) {
      it(`leave nothing in ${name} for anybody else`, async () => {
        for (const asker of askers) {
          for (const group of groups) {
            if (asker.groups.includes(group)) continue;
            const text = await ask(group, asker);
            for (const other of groups) {
              assert.deepEqual(traces(text, other), [], `${asker.name} asks ${group} by ${name}`);
            }
          }
        }
      });
    }

    it('leave nothing of a whole site, not even that it exists', async () => {
      const [asker] = askers;
      assert.ok(asker);
      const answers = await Promise.all(
        [siteOf('red'), 'no-such-site'].map(async (domain) => {
          const response = await company.post(
            `/v2/assistant/${domain}/message`,
            asker.key,
            message(question),
          );
          return [response.status, await response.text()];
        }),
      );
      assert.deepEqual(answers[0], answers[1]);
      assert.equal(answers[0]?.[0], 404);
    });

    it('ask for another token in place of one that has expired, as pages that do not exist do', async () => {
      const expired = await provider.token({ groups: ['red'], exp: 1000 });
      const answers = await Promise.all(
        [siteOf('red'), 'nothing'].map(async (domain) => {
          const answer = await company.get(`/sites/${domain}/`, expired);
          return [answer.status, await answer.text()];
        }),
      );
      assert.equal(answers[0]?.[0], 401);
      assert.deepEqual(answers[0], answers[1]);
    });

    it('leave the open pages to a browser whose password is for a proxy', async () => {
      const authorization = `Basic ${Buffer.from('ada:secret').toString('base64')}`;
      const see = (path: string): Promise<Response> =>
        company.get(`/sites/${siteOf('gold')}/docs/${path}`, undefined, {
          headers: { authorization },
        });
      assert.equal((await see('v1/webhooks')).status, 200);
      assert.equal((await see('v2/rollout')).status, 404);
    });

    it('leave nothing in a thread that somebody else goes on with', async () => {
      const [red, other] = await Promise.all([
        provider.token({ sub: 'blue-1', groups: ['blue'] }),
        provider.token({ sub: 'blue-2', groups: ['blue'] }),
      ]);
      const { threadId } = await company.ask(siteOf('blue'), red, question);
      assert.ok(threadId);
      const goOn = message('And then?', { threadId });
      const url = `/v2/assistant/${siteOf('blue')}/message`;
      assert.equal((await company.post(url, red, goOn)).status, 200);
      assert.equal((await company.post(url, other, goOn)).status, 404);
    });

    it('leave nothing in metrics, the state of sites, or the log', async () => {
      const metrics = await (await company.get('/metrics', admin)).text();
      const states = await (await company.get('/service/v1/sites', admin)).text();
      const ready = await (await company.get('/readyz')).text();
      for (const group of groups) {
        for (const text of [metrics, states, ready, company.log()]) {
          assert.deepEqual(traces(text, group), []);
        }
      }
      assert.match(company.log(), /"by":"person red","site":"site-red"/);
    });
  });
