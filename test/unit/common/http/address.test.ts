import assert from 'node:assert/strict';
import {
  apiAddressText,
  isDomain,
  isHeaderSafe,
  messageEndpoint,
  originOf,
  parseApiAddress,
  parseBaseUrl,
} from '../../../../src/common/http/address';
import { keyKind, parseSiteInput } from '../../../../src/site/siteInput';

describe('parseBaseUrl', () => {
  for (const [text, baseUrl] of [
    ['https://api.example.com', 'https://api.example.com'],
    [' https://API.Example.com/ ', 'https://api.example.com'],
    ['https://api.example.com:443/', 'https://api.example.com'],
    ['https://api.example.com:8443', 'https://api.example.com:8443'],
    ['https://host/some/prefix/', 'https://host/some/prefix'],
    ['https://host/some//', 'https://host/some'],
    ['https://host/a/../b', 'https://host/b'],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['http://localhost/x', 'http://localhost/x'],
    ['http://[::1]:80', 'http://[::1]'],
    ['https://döcs.example.com', 'https://xn--dcs-sna.example.com'],
    ['https://api.example.com.', 'https://api.example.com.'],
  ] as const) {
    it(`takes ${text} as ${baseUrl}`, () => {
      const parsed = parseBaseUrl(text);
      assert.equal(parsed.ok && parsed.baseUrl, baseUrl);
    });
  }

  for (const [text, reason] of [
    ['', 'empty'],
    ['  ', 'empty'],
    ['api.example.com', 'no-scheme'],
    ['api.example.com:8443/x', 'no-scheme'],
    ['localhost:3000', 'no-scheme'],
    ['//api.example.com', 'no-scheme'],
    ['https://', 'not-an-address'],
    ['https://a b', 'not-an-address'],
    ['http://api.example.com', 'not-loopback'],
    ['http://127.0.0.1.evil.test', 'not-loopback'],
    ['http://localhost.evil.test', 'not-loopback'],
    ['http://0.0.0.0', 'not-loopback'],
    ['ftp://api.example.com', 'wrong-scheme'],
    ['javascript:alert(1)', 'wrong-scheme'],
    ['file:///etc/passwd', 'wrong-scheme'],
    ['https://user@api.example.com', 'has-user'],
    ['https://user:pass@api.example.com', 'has-user'],
    ['https://api.example.com@evil.test', 'has-user'],
    ['https://api.example.com?x=1', 'has-query'],
    ['https://api.example.com/?', 'has-query'],
    ['https://api.example.com#x', 'has-query'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} as ${reason}, with a sentence`, () => {
      const parsed = parseBaseUrl(text);
      assert.equal(!parsed.ok && parsed.reason, reason);
      assert.ok(!parsed.ok && parsed.message.length > 10);
    });
  }

  it('never repeats a password in its refusal', () => {
    assert.doesNotMatch(JSON.stringify(parseBaseUrl('https://u:hunter2@h')), /hunter2/);
  });
});

describe('parseApiAddress', () => {
  const bases = [
    'https://api.example.com',
    'https://host/some/prefix',
    'https://host/v3',
    'https://v1',
    'https://v2',
    'http://127.0.0.1:3000',
  ];
  const pasted = {
    export: [
      '',
      '/v1',
      '/v1/',
      '/v1/static-export',
      '/v1/static-export/',
      '/v1/static-export/jobs',
      '/v1/static-export/jobs/job-1',
      '/v1/static-export/jobs/job-1/bundle',
      '/v2/assistant/acme/message',
    ],
    assistant: [
      '',
      '/v2',
      '/v2/',
      '/v2/assistant',
      '/v2/assistant/',
      '/v2/assistant/acme',
      '/v2/assistant/acme/message',
      '/v2/assistant/acme/message/',
      '/v1/static-export/jobs',
    ],
  } as const;
  for (const api of ['assistant', 'export'] as const) {
    for (const path of pasted[api]) {
      it(`finds the base of the ${api} API in front of “${path}”`, () => {
        for (const base of bases) {
          const parsed = parseApiAddress(` ${base}${path} `, api);
          assert.equal(parsed.ok && parsed.baseUrl, base, `${base}${path}`);
          assert.equal(parsed.ok && parsed.origin, new URL(base).origin);
        }
      });
    }
  }

  it('keeps a path that is not the API’s own', () => {
    for (const path of [
      '/v1x',
      '/xv1',
      '/v1/docs',
      '/v1/static-exports',
      '/static-export',
      '/v2',
    ]) {
      const parsed = parseApiAddress(`https://host${path}`, 'export');
      assert.equal(parsed.ok && parsed.baseUrl, `https://host${path}`);
    }
    for (const path of ['/v2beta', '/v2/assistants', '/assistant', '/v2/assistant/a/b', '/v1']) {
      const parsed = parseApiAddress(`https://host${path}`, 'assistant');
      assert.equal(parsed.ok && parsed.baseUrl, `https://host${path}`);
    }
  });

  it('leaves the way open to a prefix that looks like the API’s own path', () => {
    const endpoint = messageEndpoint('https://gateway.example.com/v2', 'acme');
    const parsed = parseApiAddress(endpoint, 'assistant');
    assert.equal(parsed.ok && parsed.baseUrl, 'https://gateway.example.com/v2');
  });

  it('reads the same base again from what is stored of it', () => {
    for (const api of ['assistant', 'export'] as const) {
      for (const path of ['', '/v1', '/v2', '/v1/v1', '/x/v2', '/v1/static-export', '/prefix']) {
        const base = `https://host${path}`;
        const parsed = parseApiAddress(apiAddressText(base, api), api);
        assert.equal(parsed.ok && parsed.baseUrl, base);
      }
    }
    assert.equal(apiAddressText('https://host/prefix', 'export'), 'https://host/prefix');
  });

  it('names the site of a message endpoint, if it is one', () => {
    const domainIn = (path: string) => {
      const parsed = parseApiAddress(`https://host${path}`, 'assistant');
      return parsed.ok ? parsed.domain : parsed;
    };
    assert.equal(domainIn('/v2/assistant/acme/message'), 'acme');
    assert.equal(domainIn('/p/v2/assistant/acme-docs'), 'acme-docs');
    assert.equal(domainIn('/v2/assistant/%2e%2e%2f/message'), undefined);
    assert.equal(domainIn('/v2'), undefined);
  });

  it('refuses what no base address can be', () => {
    for (const text of ['', 'api.example.com/v1', 'http://api.example.com/v1', 'https://u@h/v1']) {
      const parsed = parseApiAddress(text, 'export');
      assert.deepEqual(parsed, parseBaseUrl(text));
      assert.equal(parsed.ok, false);
    }
  });
});

describe('originOf', () => {
  it('tells origins apart by scheme, host, port and trailing dot', () => {
    const origins = [
      'https://api.example.com',
      'https://api.example.com.',
      'https://api.example.com:8443',
      'https://api.examp1e.com',
      'https://аpi.example.com', // the first letter is Cyrillic
      'http://127.0.0.1:3000',
      'http://127.0.0.1:3001',
    ].map(originOf);
    assert.equal(new Set(origins).size, 7);
    assert.ok(!origins.includes(undefined));
  });

  it('is the same with and without a path or the default port', () => {
    assert.equal(
      originOf('https://api.example.com:443/prefix/'),
      originOf('https://api.example.com'),
    );
  });

  it('is undefined for an address that is refused', () => {
    assert.equal(originOf('http://api.example.com'), undefined);
  });
});

describe('parseSiteInput', () => {
  for (const [text, domain, alternative] of [
    ['acme', 'acme', undefined],
    [' acme-docs_2 ', 'acme-docs_2', undefined],
    ['acme.docs.example', 'acme', undefined],
    ['https://acme.docs.example', 'acme', undefined],
    ['https://acme.docs.example/', 'acme', undefined],
    ['https://acme.docs.example/?utm=1#top', 'acme', undefined],
    ['acme.docs.example/start', 'acme', 'start'],
    ['https://dashboard.example.com/org/acme', 'acme', undefined],
    ['https://dashboard.example.com/org/acme/', 'acme', undefined],
    ['dashboard.example.com/org/acme', 'acme', undefined],
    ['https://example.com/org/acme', 'acme', undefined],
    ['https://acme.docs.example/guides/start', 'start', 'acme'],
    ['https://acme.docs.example/a/b/c', 'acme', 'c'],
    ['http://127.0.0.1:3000/org/acme', 'acme', undefined],
  ] as const) {
    it(`finds ${domain}${alternative ? ` or ${alternative}` : ''} in ${text}`, () => {
      const found = { alternative: undefined, ...parseSiteInput(text) };
      assert.deepEqual(found, { ok: true, domain, alternative });
    });
  }

  for (const [text, reason] of [
    ['', 'empty'],
    ['acme/docs', 'domain-has-slash'],
    ['/acme', 'domain-has-slash'],
    ['ac me', 'not-a-domain'],
    ['..', 'no-domain-in-address'],
    ['acme?', 'not-a-domain'],
    ['ftp://acme.docs.example', 'not-an-address'],
    ['https://', 'not-an-address'],
    ['https://localhost', 'no-domain-in-address'],
    ['https://192.168.1.20', 'no-domain-in-address'],
    ['https://example.com', 'no-domain-in-address'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} as ${reason}`, () => {
      const parsed = parseSiteInput(text);
      assert.equal(!parsed.ok && parsed.reason, reason);
    });
  }
});

describe('parseSiteInput of an endpoint', () => {
  for (const [text, baseUrl] of [
    ['https://api.example.com/v2/assistant/acme/message', 'https://api.example.com'],
    ['api.example.com/v2/assistant/acme/message', 'https://api.example.com'],
    ['https://host/prefix/v2/assistant/acme', 'https://host/prefix'],
  ] as const) {
    it(`finds the domain and the base address in ${text}`, () => {
      assert.deepEqual(parseSiteInput(text), { ok: true, domain: 'acme', baseUrl });
    });
  }
});

describe('isDomain', () => {
  for (const text of ['.', '..', 'a/b', 'a\\b', 'a%2fb', 'a?b', '-a', 'a.', '', 'a'.repeat(254)]) {
    it(`is false for ${JSON.stringify(text.slice(0, 20))}`, () =>
      assert.equal(isDomain(text), false));
  }
  for (const text of ['a', 'acme', 'acme-docs', 'docs.acme.com', 'a_1', '7']) {
    it(`is true for ${text}`, () => assert.equal(isDomain(text), true));
  }
});

describe('keyKind', () => {
  for (const [text, kind, key = text] of [
    ['abc_dsc_0123456789', 'assistant'],
    ['local_dsc_x', 'assistant'],
    [' abc_dsc_0123456789\r\n', 'assistant', 'abc_dsc_0123456789'],
    ['Bearer abc_dsc_0123456789', 'assistant', 'abc_dsc_0123456789'],
    ['"abc_dsc_0123456789"', 'assistant', 'abc_dsc_0123456789'],
    ['abc_us_0123456789', 'user'],
    ['abc_0123456789', 'admin'],
    ['abc_body_dsc_more', 'admin'],
  ] as const) {
    it(`takes ${JSON.stringify(text)} for an ${kind} key`, () => {
      assert.deepEqual(keyKind(text), { ok: true, kind, key });
    });
  }

  for (const [text, reason] of [
    ['', 'empty'],
    ['Bearer ', 'key-form'],
    ['abc_dsc_01\n23', 'key-has-spaces'],
    ['abc_dsc_01 23', 'key-has-spaces'],
    ['abc_dsc_schlüssel', 'key-has-other-characters'],
    ['abc_dsc_0\u0000', 'key-has-other-characters'],
    ['0123456789', 'key-form'],
    ['abc_dsc_', 'key-form'],
    ['abc_us_', 'key-form'],
    ['abc_', 'key-form'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} as ${reason}, without repeating it`, () => {
      const parsed = keyKind(text);
      assert.equal(!parsed.ok && parsed.reason, reason);
      assert.ok(text.length < 5 || !JSON.stringify(parsed).includes(text));
    });
  }
});

describe('isHeaderSafe', () => {
  for (const key of ['', 'a b', 'a\r\nb', 'a\tb', 'ä', '\u007f', 'x'.repeat(5000)]) {
    it(`is false for ${JSON.stringify(key.slice(0, 10))}`, () =>
      assert.equal(isHeaderSafe(key), false));
  }
});
