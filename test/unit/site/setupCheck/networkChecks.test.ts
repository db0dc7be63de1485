import assert from 'node:assert/strict';
import { DocsAssistantError, plainTranslate } from '../../../../src/common/errors';
import {
  networkChecks,
  type NetworkCheckPorts,
  type NetworkProbe,
  type ServerCertificate,
} from '../../../../src/site/setupCheck/networkChecks';
import type { Proxy } from '../../../../src/site/setupCheck/proxySettings';
import type { Reached } from '../../../../src/site/setupCheck/reachService';
import { FakeClock } from '../../../fakes/fakeClock';
import { lineOf, shown } from './lines';

const site = { baseUrl: 'https://api.example.com', domain: 'acme' };
const local = { baseUrl: 'http://127.0.0.1:8080', domain: 'acme' };
const now = Date.parse('2025-06-01T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;

const noProxy: Proxy = { kind: 'none', reason: 'not-set' };
const proxy: Proxy = {
  kind: 'proxy',
  url: 'http://ann:hunter2@p.example:3128/',
  host: 'p.example:3128',
  hostname: 'p.example',
  port: 3128,
  isHttp: true,
  source: 'http.proxy',
};

const certificate: ServerCertificate = {
  issuer: 'Example Trust',
  names: ['api.example.com'],
  validFrom: now - 30 * DAY_MS,
  validTo: now + 60 * DAY_MS,
};

const answered: Reached = { ok: true, status: 401, ms: 12, receivedAt: now };

function failure(error: DocsAssistantError): Reached {
  return { ok: false, error, receivedAt: now };
}

const untrusted = failure(
  new DocsAssistantError('insecure-connection', { host: 'api.example.com', causeCode: 'X' }),
);

const codeError = (code: string): Error => Object.assign(new Error(code), { code });

function checks(
  ports: Partial<Omit<NetworkCheckPorts, 'probe' | 'reached'>> & {
    readonly probe?: Partial<NetworkProbe>;
    readonly reached?: Reached;
    readonly of?: { readonly baseUrl: string; readonly domain: string };
  } = {},
) {
  const probe: NetworkProbe = {
    lookUp: () => Promise.resolve(['192.0.2.1']),
    connect: () => Promise.resolve(),
    tunnelStatus: () => Promise.resolve(200),
    certificate: () => Promise.resolve(certificate),
    ...ports.probe,
  };
  return networkChecks(ports.of ?? site, {
    clock: new FakeClock(now),
    translate: plainTranslate,
    proxy: ports.proxy ?? noProxy,
    probe,
    reached: () => Promise.resolve(ports.reached ?? answered),
  });
}

describe('the network checks', () => {
  it('are all skipped without a site', async () => {
    const all = networkChecks(undefined, {
      clock: new FakeClock(now),
      translate: plainTranslate,
      proxy: noProxy,
      probe: {
        lookUp: () => Promise.reject(new Error('asked')),
        connect: () => Promise.reject(new Error('asked')),
        tunnelStatus: () => Promise.reject(new Error('asked')),
        certificate: () => Promise.reject(new Error('asked')),
      },
      reached: () => Promise.reject(new Error('asked')),
    });
    for (const { title } of all) {
      assert.equal((await lineOf(all, title)).state, 'skipped', title);
    }
  });

  describe('for the host name', () => {
    it('shows a few of its addresses', async () => {
      const lookUp = () => Promise.resolve(['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']);
      assert.deepEqual(shown(await lineOf(checks({ probe: { lookUp } }), 'Host name')), [
        'passed',
        'api.example.com resolves to 192.0.2.1, 192.0.2.2, 192.0.2.3, ….',
      ]);
    });

    for (const [code, text, actions] of [
      ['ENOTFOUND', 'No host named api.example.com was found.', ['set-up-site']],
      ['EAI_AGAIN', 'The name api.example.com can’t be looked up (EAI_AGAIN).', []],
    ] as const) {
      it(`fails with ${code}`, async () => {
        const lookUp = () => Promise.reject(codeError(code));
        assert.deepEqual(shown(await lineOf(checks({ probe: { lookUp } }), 'Host name')), [
          'failed',
          text,
          ...actions,
        ]);
      });
    }

    it('is left to a proxy, and needless for this machine and for an IP address', async () => {
      const lookUp = () => Promise.reject(new Error('looked up'));
      const of = { baseUrl: 'https://192.0.2.1', domain: 'acme' };
      for (const [all, state] of [
        [checks({ proxy, probe: { lookUp } }), 'skipped'],
        [checks({ of, probe: { lookUp } }), 'skipped'],
        [checks({ of: local, probe: { lookUp } }), 'passed'],
      ] as const) {
        assert.equal((await lineOf(all, 'Host name')).state, state);
      }
    });
  });

  describe('for the proxy', () => {
    it('names its host and where it is set, without its user', async () => {
      assert.deepEqual(shown(await lineOf(checks({ proxy }), 'Proxy')), [
        'passed',
        'Requests go through p.example:3128 (from http.proxy).',
      ]);
    });

    it('fails if it can’t be reached', async () => {
      const refuse = () => Promise.reject(codeError('ECONNREFUSED'));
      const probe = { connect: refuse, tunnelStatus: refuse };
      const socks = { ...proxy, isHttp: false };
      assert.equal((await lineOf(checks({ proxy: socks, probe }), 'Proxy')).state, 'failed');
      assert.deepEqual(shown(await lineOf(checks({ proxy, probe }), 'Proxy')), [
        'failed',
        'Can’t reach the proxy p.example:3128 from http.proxy (ECONNREFUSED).',
        'open-settings',
      ]);
    });

    for (const [status, text, actions] of [
      [
        407,
        'The proxy p.example:3128 requires a user name and a password (HTTP 407).',
        ['open-settings'],
      ],
      [403, 'The proxy p.example:3128 refuses to connect to api.example.com (HTTP 403).', []],
    ] as const) {
      it(`fails if it answers ${status}, unless VS Code gets through`, async () => {
        const probe = { tunnelStatus: () => Promise.resolve(status) };
        const reached = failure(new DocsAssistantError('proxy-refused'));
        assert.deepEqual(shown(await lineOf(checks({ proxy, probe, reached }), 'Proxy')), [
          'failed',
          text,
          ...actions,
        ]);
        assert.equal((await lineOf(checks({ proxy, probe }), 'Proxy')).state, 'passed');
      });
    }

    it('fails if it is not a URL, without repeating it', async () => {
      const invalid: Proxy = { kind: 'invalid', source: 'HTTPS_PROXY' };
      assert.deepEqual(shown(await lineOf(checks({ proxy: invalid }), 'Proxy')), [
        'failed',
        'The proxy in HTTPS_PROXY is not a valid URL.',
      ]);
    });

    for (const [reason, state] of [
      ['not-set', 'passed'],
      ['switched-off', 'passed'],
      ['excepted', 'passed'],
      ['loopback', 'skipped'],
    ] as const) {
      it(`is ${state} if there is no proxy: ${reason}`, async () => {
        const line = await lineOf(checks({ proxy: { kind: 'none', reason } }), 'Proxy');
        assert.equal(line.state, state);
      });
    }
  });

  describe('for the connection', () => {
    it('passes with any answer of a service', async () => {
      assert.deepEqual(shown(await lineOf(checks(), 'Connection')), [
        'passed',
        'api.example.com answers over HTTPS after 12 ms (HTTP 401 without a key).',
      ]);
    });

    it('fails as a question would', async () => {
      const reached = failure(
        new DocsAssistantError('offline', { host: 'api.example.com', causeCode: 'ECONNREFUSED' }),
      );
      assert.deepEqual(shown(await lineOf(checks({ reached }), 'Connection')), [
        'failed',
        'Can’t reach api.example.com (ECONNREFUSED). Check your network and the base URL, then try again.',
        'open-settings',
      ]);
    });
  });

  describe('for the certificate', () => {
    const checked = async (
      shownCertificate: Partial<ServerCertificate>,
      reached: Reached = answered,
    ) =>
      shown(
        await lineOf(
          checks({
            reached,
            probe: { certificate: () => Promise.resolve({ ...certificate, ...shownCertificate }) },
          }),
          'Certificate',
        ),
      );

    it('names its issuer and its expiry', async () => {
      assert.deepEqual(await checked({}), [
        'passed',
        'VS Code trusts the certificate from Example Trust, valid until 2025-07-31.',
      ]);
    });

    it('says when it expires soon', async () => {
      assert.deepEqual(await checked({ validTo: now + 3.5 * DAY_MS }), [
        'passed',
        'VS Code trusts the certificate from Example Trust. It expires in 3 d.',
      ]);
    });

    it('passes a certificate that only the system trusts', async () => {
      const [state] = await checked({ trustError: 'SELF_SIGNED_CERT_IN_CHAIN' });
      assert.equal(state, 'passed');
    });

    for (const [what, shownCertificate, text] of [
      [
        'expired',
        { validTo: now - DAY_MS },
        'The certificate of api.example.com expired on 2025-05-31.',
      ],
      [
        'not valid yet',
        { validFrom: now + DAY_MS },
        'The certificate of api.example.com is not valid before 2025-06-02.',
      ],
      [
        'of another host',
        { trustError: 'ERR_TLS_CERT_ALTNAME_INVALID', names: ['other.example'] },
        'The certificate is for other.example, not for api.example.com.',
      ],
      [
        'self-signed',
        { trustError: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
        'The certificate of api.example.com is self-signed (Example Trust).',
      ],
      [
        'of an unknown authority',
        { trustError: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
        'The certificate of api.example.com is signed by Example Trust, which VS Code doesn’t trust (UNABLE_TO_VERIFY_LEAF_SIGNATURE).',
      ],
      [
        'with a name that plays tricks',
        { trustError: 'X', issuer: 'Evil\n\u202E# Passed' },
        'The certificate of api.example.com is signed by Evil # Passed, which VS Code doesn’t trust (X).',
      ],
    ] as const) {
      it(`says why it is refused: ${what}`, async () => {
        const [state, said] = await checked(shownCertificate, untrusted);
        assert.deepEqual([state, said], ['failed', text]);
      });
    }

    it('says that a port without TLS has no certificate', async () => {
      const probe = { certificate: () => Promise.reject(codeError('EPROTO')) };
      assert.deepEqual(shown(await lineOf(checks({ reached: untrusted, probe }), 'Certificate')), [
        'failed',
        'No certificate of api.example.com can be read (EPROTO).',
      ]);
    });

    it('is read through the proxy, and skipped through one that speaks no HTTP', async () => {
      const targets: unknown[] = [];
      const probe = {
        certificate: (target: unknown) => {
          targets.push(target);
          return Promise.resolve(certificate);
        },
      };
      assert.equal((await lineOf(checks({ proxy, probe }), 'Certificate')).state, 'passed');
      assert.deepEqual(targets, [{ host: 'api.example.com', port: 443, proxy: proxy.url }]);
      const socks = { ...proxy, isHttp: false };
      assert.equal((await lineOf(checks({ proxy: socks, probe }), 'Certificate')).state, 'skipped');
      assert.equal(targets.length, 1);
    });

    it('is skipped without a connection, and within this machine', async () => {
      const reached = failure(new DocsAssistantError('offline', { causeCode: 'ENOTFOUND' }));
      assert.equal((await lineOf(checks({ reached }), 'Certificate')).state, 'skipped');
      assert.equal((await lineOf(checks({ of: local }), 'Certificate')).state, 'skipped');
    });
  });

  describe('for the clock', () => {
    const checked = async (date: string | undefined) =>
      shown(await lineOf(checks({ reached: { ...answered, date } }), 'Clock'));

    for (const [date, state, text] of [
      [
        'Sun, 01 Jun 2025 11:58:00 GMT',
        'passed',
        'This machine’s clock agrees with api.example.com.',
      ],
      [
        'Sun, 01 Jun 2025 10:00:00 GMT',
        'failed',
        'This machine’s clock is 2 h ahead of api.example.com.',
      ],
      [
        'Sun, 01 Jun 2025 12:20:00 GMT',
        'failed',
        'This machine’s clock is 20 min behind api.example.com.',
      ],
      ['yesterday', 'skipped', 'api.example.com sends no date, so its clock can’t be compared.'],
      [undefined, 'skipped', 'api.example.com sends no date, so its clock can’t be compared.'],
    ] as const) {
      it(`is ${state} with ${date ?? 'no date'}`, async () => {
        assert.deepEqual(await checked(date), [state, text]);
      });
    }

    it('is compared with an error’s date too, and skipped without a response', async () => {
      const error = new DocsAssistantError('unexpected-html', { status: 200 });
      const date = 'Sun, 01 Jun 2025 10:00:00 GMT';
      const page = { ...failure(error), date };
      assert.equal((await lineOf(checks({ reached: page }), 'Clock')).state, 'failed');
      const offline = failure(new DocsAssistantError('offline'));
      assert.deepEqual(shown(await lineOf(checks({ reached: offline }), 'Clock')), [
        'skipped',
        'No response arrived, so the clock can’t be compared.',
      ]);
    });
  });
});
