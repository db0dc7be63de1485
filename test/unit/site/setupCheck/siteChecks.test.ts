import assert from 'node:assert/strict';
import { DocsAssistantError, plainTranslate } from '../../../../src/common/errors';
import type { KeyPurpose } from '../../../../src/common/ports';
import {
  addressCheck,
  siteChecks,
  type CheckedSite,
  type SiteCheckPorts,
} from '../../../../src/site/setupCheck/siteChecks';
import { FakeClock } from '../../../fakes/fakeClock';
import { lineOf, shown } from './lines';

const site: CheckedSite = { baseUrl: 'https://api.example.com/x', domain: 'acme', isLocal: false };
const localSite: CheckedSite = { baseUrl: 'http://127.0.0.1:8080', domain: 'docs', isLocal: true };
const apiUrl = 'https://admin.example.com';
const assistantKey = 'acme_dsc_0123456789abcdef';
const adminKey = 'acme_0123456789abcdef';

interface Setup extends Partial<Omit<SiteCheckPorts, 'keys'>> {
  readonly of?: CheckedSite | undefined;
  /** Keys by purpose and origin. */
  readonly saved?: Readonly<Record<string, string>>;
  /** Origin at which the reader signs in. */
  readonly signedInAt?: string;
}

const bothKeys = {
  'assistant https://api.example.com': assistantKey,
  'admin https://admin.example.com': adminKey,
};

function portsOf({ saved = bothKeys, signedInAt, ...ports }: Setup): SiteCheckPorts {
  return {
    clock: new FakeClock(),
    fetch: () => Promise.resolve(new Response('{}', { status: 400 })),
    translate: plainTranslate,
    configured: { baseUrl: '', domain: '' },
    apiUrl,
    keptUrls: [],
    ask: undefined,
    askExport: () => Promise.resolve({ kind: 'accepted' }),
    ...ports,
    keys: {
      read: (purpose: KeyPurpose, origin: string) => Promise.resolve(saved[`${purpose} ${origin}`]),
      signIns: {
        has: (origin) => origin === signedInAt,
        start: () => Promise.reject(new Error('A check signs nobody in')),
        again: () => Promise.reject(new Error('A check signs nobody in')),
      },
    },
  };
}

async function line(title: string, setup: Setup = {}): Promise<readonly string[]> {
  const of = 'of' in setup ? setup.of : site;
  return shown(await lineOf(siteChecks(of, portsOf(setup)), title));
}

async function address(of: CheckedSite | undefined, setup: Setup = {}): Promise<readonly string[]> {
  return shown(await lineOf([addressCheck(of, portsOf(setup))], 'Docs site'));
}

describe('the check of the docs site', () => {
  it('says where questions go', async () => {
    assert.deepEqual(await address(site), [
      'passed',
      'Questions go to the site acme at https://api.example.com/x.',
    ]);
    assert.deepEqual(await address(localSite), [
      'passed',
      'Questions go to the local docs service at 127.0.0.1:8080.',
    ]);
  });

  for (const [what, configured, pattern] of [
    ['nothing is set up', { baseUrl: '', domain: '' }, /No docs site is set up yet/],
    ['only the site is', { baseUrl: '', domain: 'acme' }, /No docs site is set up yet/],
    ['the base URL is not https', { baseUrl: 'http://a.example', domain: 'acme' }, /base URL/],
    ['the base URL has a user', { baseUrl: 'https://a:b@a.example', domain: 'acme' }, /base URL/],
    ['the site is a path', { baseUrl: 'https://a.example', domain: 'a/b' }, /valid domain/],
  ] as const) {
    it(`fails if ${what}`, async () => {
      const [state, text, action] = await address(undefined, { configured });
      assert.equal(state, 'failed');
      assert.match(text ?? '', pattern);
      assert.doesNotMatch(text ?? '', /a:b/);
      assert.equal(action, 'set-up-site');
    });
  }

  it('fails for a deployment without an assistant', async () => {
    const [state, text] = await address(undefined, { unavailable: 'assistant-air-gapped' });
    assert.equal(state, 'failed');
    assert.match(text ?? '', /air-gapped/);
  });
});

describe('the check of the assistant key', () => {
  it('passes for a key of this origin', async () => {
    assert.deepEqual(await line('Assistant key'), [
      'passed',
      'An assistant key is saved for https://api.example.com.',
    ]);
  });

  it('passes with a token where the reader signs in, and fails without one', async () => {
    const signedInAt = 'https://api.example.com';
    const token = { 'assistant https://api.example.com': 'header.payload.signature' };
    assert.deepEqual(await line('Assistant key', { signedInAt, saved: token }), [
      'passed',
      'You are signed in to https://api.example.com.',
    ]);
    assert.deepEqual(await line('Assistant key', { signedInAt, saved: {} }), [
      'failed',
      'You aren’t signed in to https://api.example.com.',
      'set-assistant-key',
    ]);
  });

  it('fails if the key is saved for another port', async () => {
    const saved = { 'assistant https://api.example.com:8443': assistantKey };
    const keptUrls = [site.baseUrl, 'https://api.example.com:8443/a', 'https://other.example'];
    assert.deepEqual(await line('Assistant key', { saved, keptUrls }), [
      'failed',
      'No assistant key is saved for https://api.example.com. Keys are saved for https://api.example.com:8443.',
      'set-assistant-key',
    ]);
    assert.deepEqual(await line('Assistant key', { saved: {} }), [
      'failed',
      'No assistant key is saved for https://api.example.com.',
      'set-assistant-key',
    ]);
  });

  for (const [what, key, pattern] of [
    ['an admin key', adminKey, /is an admin key/],
    ['a user key', 'acme_us_0123456789', /is a user key/],
    ['a zero-width space', `${assistantKey}\u200B`, /invisible characters/],
    ['a line break', `${assistantKey}\n`, /invisible characters/],
    ['quotes', `"${assistantKey}"`, /quotes/],
    ['no known form', '0123456789', /spaces, quotes, or invisible/],
  ] as const) {
    it(`fails for a key with ${what}, without showing it`, async () => {
      const saved = { 'assistant https://api.example.com': key };
      const [state, text, action] = await line('Assistant key', { saved });
      assert.deepEqual([state, action], ['failed', 'set-assistant-key']);
      assert.match(text ?? '', pattern);
      assert.doesNotMatch(text ?? '', /0123456789/);
    });
  }

  it('is needless for the local docs service', async () => {
    assert.equal((await line('Assistant key', { of: localSite }))[0], 'skipped');
  });
});

describe('the check of site and key', () => {
  it('passes if the service refuses only the question', async () => {
    assert.deepEqual(await line('Site and key'), [
      'passed',
      'api.example.com accepts the site acme and the key.',
    ]);
  });

  it('fails for a rejected key', async () => {
    const fetch = () => Promise.resolve(new Response('{"error":"expired"}', { status: 401 }));
    const [state, text, action] = await line('Site and key', { fetch });
    assert.deepEqual([state, action], ['failed', 'set-assistant-key']);
    assert.match(text ?? '', /rejected the assistant key.*\(expired\)/);
  });

  it('is inconclusive after an error that says neither yes nor no', async () => {
    const fetch = () => Promise.resolve(new Response('{"error":"boom"}', { status: 500 }));
    assert.deepEqual(await line('Site and key', { fetch }), [
      'skipped',
      'api.example.com answered the check with an error (HTTP 500). It says: “boom” Questions may still work.',
    ]);
  });

  it('sends nothing without a key, and never a key of another kind', async () => {
    const fetch = () => Promise.reject(new Error('sent'));
    const stores: Record<string, string>[] = [
      {},
      { 'assistant https://api.example.com': adminKey },
    ];
    for (const saved of stores) {
      assert.equal((await line('Site and key', { fetch, saved }))[0], 'skipped');
    }
    assert.equal((await line('Site and key', { fetch, of: undefined }))[0], 'skipped');
  });
});

describe('the check of the assistant', () => {
  it('is skipped unless the reader wants a question asked', async () => {
    assert.deepEqual(await line('Assistant'), ['skipped', 'You chose to skip the question.']);
  });

  for (const [reply, expected] of [
    [
      { characters: 10, sources: 2, ms: 1200, isComplete: true },
      ['passed', 'The assistant replied after 1 s, with sources.'],
    ],
    [
      { characters: 10, sources: 0, ms: 420, isComplete: true },
      ['passed', 'The assistant replied after 420 ms, without sources.'],
    ],
    [{ characters: 0, sources: 0, ms: 1, isComplete: true }, ['failed', 'The reply has no text.']],
  ] as const) {
    it(`is ${expected[0]} with ${reply.characters} characters and ${reply.sources} sources`, async () => {
      assert.deepEqual(await line('Assistant', { ask: () => Promise.resolve(reply) }), expected);
    });
  }

  it('fails for a reply that breaks off', async () => {
    const reply = { characters: 10, sources: 1, ms: 1200, isComplete: false };
    assert.deepEqual(await line('Assistant', { ask: () => Promise.resolve(reply) }), [
      'failed',
      'The reply ended early.',
    ]);
  });

  it('leaves errors of the question to the runner', async () => {
    const error = new DocsAssistantError('rate-limited');
    await assert.rejects(line('Assistant', { ask: () => Promise.reject(error) }), error);
  });
});

describe('the checks of static export', () => {
  it('are skipped if static export is not set up', async () => {
    const askExport = () => Promise.reject(new Error('asked'));
    for (const title of ['Admin key', 'Static export']) {
      assert.deepEqual(await line(title, { apiUrl: '', askExport }), [
        'skipped',
        'Static export is not set up.',
      ]);
      assert.equal((await line(title, { saved: {}, askExport }))[0], 'skipped');
    }
  });

  it('pass for an admin key that the API accepts', async () => {
    assert.deepEqual(await line('Admin key'), [
      'passed',
      'An admin key is saved for https://admin.example.com.',
    ]);
    const [state, text] = await line('Static export');
    assert.equal(state, 'passed');
    assert.match(text ?? '', /admin\.example\.com accepts the admin key/);
  });

  it('fail for an assistant key in place of the admin key, and do not send it', async () => {
    const saved = { 'admin https://admin.example.com': assistantKey };
    const askExport = () => Promise.reject(new Error('asked'));
    assert.deepEqual(await line('Admin key', { saved }), [
      'failed',
      'The key that is saved as the admin key for https://admin.example.com is not an admin key.',
      'set-admin-key',
    ]);
    assert.equal((await line('Static export', { saved, askExport }))[0], 'skipped');
  });

  it('show what the API said', async () => {
    for (const [isAboutKey, action] of [
      [true, 'set-admin-key'],
      [false, 'open-log'],
    ] as const) {
      const askExport = () =>
        Promise.resolve({ kind: 'refused', message: 'Said no.', isAboutKey } as const);
      assert.deepEqual(await line('Static export', { askExport }), ['failed', 'Said no.', action]);
    }
    const unclear = () => Promise.resolve({ kind: 'unclear' } as const);
    assert.equal((await line('Static export', { askExport: unclear }))[0], 'skipped');
  });
});
