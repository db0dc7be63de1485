import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../src/common/errors';
import type { SignIn } from '../../../src/common/ports';
import { systemClock } from '../../../src/common/clock';
import { findCompanyService, listServiceSites } from '../../../src/site/companyService';
import { SeenSecrets } from '../../../src/site/keyStore';
import { setUpServiceSite } from '../../../src/site/setUpService';
import { SignedInKeys } from '../../../src/site/signedInKeys';
import { type Answer, FakeFetch, fetchFailure } from '../../fakes/fakeFetch';
import { MemoryKeyStore } from '../../fakes/memoryKeyStore';
import { MemoryMemento } from '../../fakes/memoryMemento';
import { RecordingLog } from '../../fakes/recordingLog';
import { ScriptedUi } from '../../fakes/scriptedUi';

const origin = 'https://docs.example.com';
const baseUrl = `${origin}/x`;
const key = 'docs_dsc_0123456789';
const { signal } = new AbortController();

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers });
const challenge = (value: string) => json(401, { error: 'No key.' }, { 'www-authenticate': value });
const realm = 'Bearer realm="docs-assistant-service"';
const sites = json(200, {
  sites: [
    { domain: 'payments', name: 'Payments', pages: 12 },
    { domain: 'handbook', name: '\u202eHandbook', pages: 1 },
    { domain: '../admin', name: 'Bad' },
    { name: 'No domain' },
    { domain: 'plain' },
  ],
});
const rejected = json(401, { error: 'This key is not valid.' });

async function find(...answers: Answer[]) {
  const { fetch, requests } = new FakeFetch(...answers);
  return {
    found: await findCompanyService(baseUrl, { fetch, clock: systemClock }, signal),
    requests,
  };
}

describe('findCompanyService', () => {
  it('knows the service by its challenge, and sends no key', async () => {
    const { found, requests } = await find(challenge(realm));
    assert.deepEqual(found, { baseUrl, origin, signIn: undefined });
    assert.deepEqual(
      requests.map(({ url }) => url),
      [`${baseUrl}/service/v1/sites`],
    );
    assert.equal(requests[0]?.headers.get('authorization'), null);
  });

  it('reads where people sign in at the known path, whatever URL the challenge has', async () => {
    const { found, requests } = await find(
      challenge(`${realm}, resource_metadata="https://evil.example.com/x"`),
      json(200, {
        authorization_servers: ['https://login.example.com/'],
        scopes_supported: ['api://docs/.default'],
      }),
    );
    assert.equal(requests[1]?.url, `${baseUrl}/.well-known/oauth-protected-resource`);
    assert.deepEqual(found?.signIn, {
      issuer: 'https://login.example.com/',
      scopes: ['api://docs/.default'],
    });
  });

  for (const [what, answer] of [
    ['a hosted platform without this route', json(404, { error: 'Not found' })],
    ['a platform that refuses every request without a key', challenge('Bearer')],
    [
      'a web page',
      () => new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }),
    ],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: 'https://a.example/' } }),
    ],
    [
      'a host that can’t be reached',
      () => {
        throw fetchFailure('ENOTFOUND');
      },
    ],
  ] as const) {
    it(`goes on without a service for ${what}`, async () => {
      assert.equal((await find(answer)).found, undefined);
    });
  }
});

describe('listServiceSites', () => {
  it('leaves out entries that can’t be read, and what hides in names', async () => {
    const ports = { fetch: new FakeFetch(sites).fetch, clock: systemClock };
    assert.deepEqual(await listServiceSites({ baseUrl }, key, ports, signal), [
      { domain: 'payments', name: 'Payments', pages: 12 },
      { domain: 'handbook', name: 'Handbook', pages: 1 },
      { domain: 'plain', name: 'plain', pages: undefined },
    ]);
  });

  it('throws an error that can be shown for an answer that is no list', async () => {
    const ports = { fetch: new FakeFetch(json(200, { sites: 7 })).fetch, clock: systemClock };
    await assert.rejects(listServiceSites({ baseUrl }, key, ports, signal), DocsAssistantError);
  });
});

const microsoft = 'https://login.microsoftonline.com/tenant-1/v2.0';

/** Sets a site up with a scripted reader. Tokens come from the editor one after the other. */
async function setUp(
  answers: readonly (string | undefined)[],
  responses: readonly Answer[],
  options: {
    readonly signIn?: { readonly issuer: string; readonly scopes: readonly string[] };
    readonly tokens?: (string | undefined)[];
    readonly savedKey?: string;
    readonly wanted?: { readonly domain: string; readonly isFixed: boolean };
  } = {},
) {
  const { signIn, tokens = [], savedKey, wanted = { domain: '', isFixed: false } } = options;
  const ui = new ScriptedUi().answer(...answers);
  const fake = new FakeFetch(...responses);
  const asked: (SignIn & { readonly how: string })[] = [];
  const saved = new MemoryKeyStore();
  if (savedKey !== undefined) await saved.save('assistant', origin, savedKey);
  const log = new RecordingLog();
  const keys = new SignedInKeys({
    keys: saved,
    memento: new MemoryMemento(),
    seen: new SeenSecrets(),
    token: (request, how) => {
      asked.push({ how, ...request });
      return Promise.resolve(tokens.shift());
    },
  });
  const ports = { ui, keys, log, fetch: fake.fetch, clock: systemClock };
  const site = await setUpServiceSite({ baseUrl, origin, signIn }, wanted, ports, signal);
  const bearers = fake.requests.map(({ headers }) => headers.get('authorization'));
  return { site: site?.domain, ui, keys, asked, bearers, saved };
}

const texts = (ui: ScriptedUi): string[] => ui.shown.map(({ text }) => text);

describe('setting up a site of a company’s service', () => {
  it('asks for the key, lists the sites with their pages, and keeps the key', async () => {
    const { site, ui, saved, bearers } = await setUp([key, 'Payments'], [sites]);
    assert.equal(site, 'payments');
    assert.deepEqual(bearers, [`Bearer ${key}`]);
    assert.equal(await saved.read('assistant', origin), key);
    assert.deepEqual(
      ui.lists[0]?.map((row) => !row.isSeparator && [row.description, row.detail]),
      [
        ['payments', '12 pages'],
        ['handbook', '1 page'],
        ['plain', ''],
      ],
    );
  });

  it('asks for no key if one is saved, and asks again if it is refused', async () => {
    const known = await setUp(['Handbook'], [sites], { savedKey: key });
    assert.equal(known.site, 'handbook');
    const other = 'docs_dsc_9876543210';
    const { site, saved } = await setUp([other, 'Payments'], [rejected, sites], { savedKey: key });
    assert.equal(site, 'payments');
    assert.equal(await saved.read('assistant', origin), other);
  });

  it('keeps nothing if the reader cancels the list', async () => {
    const { site, saved } = await setUp([key, undefined], [sites]);
    assert.equal(site, undefined);
    assert.equal(await saved.read('assistant', origin), undefined);
  });

  it('takes a site that the workspace recommends without a list, if it is open to the reader', async () => {
    const wanted = { domain: 'handbook', isFixed: true };
    assert.equal((await setUp([key], [sites], { wanted })).site, 'handbook');
    const refused = await setUp([key], [sites], { wanted: { domain: 'secret', isFixed: true } });
    assert.equal(refused.site, undefined);
    assert.match(texts(refused.ui).at(-1) ?? '', /isn’t open to you/);
  });

  it('says so if no site is open, and what the service says if it is down', async () => {
    const none = await setUp([key], [json(200, { sites: [] })]);
    assert.match(texts(none.ui).at(-1) ?? '', /No docs site of docs\.example\.com is open to you/);
    const down = await setUp([key], [json(503, { error: 'Later' })]);
    assert.match(texts(down.ui).at(-1) ?? '', /temporarily unavailable/);
  });

  it('signs in at Microsoft with the tenant of the issuer, once the reader has agreed', async () => {
    const { site, asked, bearers, keys, saved, ui } = await setUp(
      ['Sign In', 'Sign In', 'Payments'],
      [sites],
      { signIn: { issuer: microsoft, scopes: ['api://docs/.default'] }, tokens: ['a.b.c'] },
    );
    assert.equal(site, 'payments');
    assert.deepEqual(asked, [
      {
        how: 'ask',
        provider: 'microsoft',
        scopes: ['api://docs/.default', 'VSCODE_TENANT:tenant-1'],
      },
    ]);
    assert.deepEqual(bearers, ['Bearer a.b.c']);
    assert.equal(keys.signIns.has(origin), true);
    assert.equal(await saved.read('assistant', origin), undefined, 'the token is not stored');
    assert.match(ui.details.join(), /api:\/\/docs\/\.default.*https:\/\/docs\.example\.com/);
  });

  it('takes no token before the reader agrees to the scopes', async () => {
    const { site, asked, keys } = await setUp(['Sign In', undefined], [], {
      signIn: { issuer: microsoft, scopes: ['api://docs/.default'] },
      tokens: ['a.b.c'],
    });
    assert.equal(site, undefined);
    assert.deepEqual(asked, []);
    assert.equal(keys.signIns.has(origin), false);
  });

  for (const scopes of [
    [],
    ['https://graph.microsoft.com/.default'],
    ['User.Read'],
    ['api://a/b', 'openid'],
  ]) {
    it(`asks Microsoft for no token with the scopes [${scopes.join(', ')}]`, async () => {
      const { site, asked, ui } = await setUp(['Sign In'], [], {
        signIn: { issuer: microsoft, scopes },
        tokens: ['a.b.c'],
      });
      assert.equal(site, undefined);
      assert.deepEqual(asked, []);
      assert.match(texts(ui).at(-1) ?? '', /scopes of its own/);
    });
  }

  it('asks for the provider of another issuer, which can’t be one of VS Code’s own', async () => {
    const signIn = { issuer: 'https://sso.example.com', scopes: ['docs'] };
    const own = await setUp(['Sign In', 'acme-sso', 'Sign In', 'Payments'], [sites], {
      signIn,
      tokens: ['a.b.c'],
    });
    assert.deepEqual(own.asked, [{ how: 'ask', provider: 'acme-sso', scopes: ['docs'] }]);
    for (const id of ['github', 'Microsoft-sovereign-cloud']) {
      const { ui, asked } = await setUp(['Sign In', id], [], { signIn, tokens: ['a.b.c'] });
      assert.match(ui.remarks.at(-1)?.text ?? '', /doesn’t sign in at sso\.example\.com/);
      assert.deepEqual(asked, []);
    }
  });

  it('says which characters the ID of a provider can have', async () => {
    const signIn = { issuer: 'https://sso.example.com', scopes: ['docs'] };
    for (const id of ['', 'Acme SSO', 'acme/sso']) {
      const { ui, asked } = await setUp(['Sign In', id], [], { signIn, tokens: ['a.b.c'] });
      assert.match(ui.remarks.at(-1)?.text ?? '', /letters, digits, hyphens, dots/);
      assert.deepEqual(asked, []);
    }
  });

  it('offers the key if there is no such provider, and a new sign-in if the token is refused', async () => {
    const signIn = { issuer: microsoft, scopes: ['api://docs/.default'] };
    const withoutProvider = await setUp(['Sign In', 'Sign In', key, 'Payments'], [sites], {
      signIn,
      tokens: [undefined],
    });
    assert.equal(withoutProvider.site, 'payments');
    assert.deepEqual(withoutProvider.bearers, [`Bearer ${key}`]);
    const again = await setUp(
      ['Sign In', 'Sign In', 'Sign In', 'Sign In', 'Payments'],
      [rejected, sites],
      { signIn, tokens: ['old', 'new'] },
    );
    assert.deepEqual(again.bearers, ['Bearer old', 'Bearer new']);
    // VS Code would give the refused token again.
    assert.deepEqual(
      again.asked.map(({ how }) => how),
      ['ask', 'anew'],
    );
  });
});
