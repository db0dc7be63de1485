import assert from 'node:assert/strict';
import { proxyFor, type ProxySettings } from '../../../../src/site/setupCheck/proxySettings';

const url = 'https://api.example.com/x';
const none: ProxySettings = { proxy: '', support: 'override', noProxy: [], env: {} };

/** Returns the proxy as text: its host and source, or why there is none. */
function shown(settings: Partial<ProxySettings>, target = url): string {
  const proxy = proxyFor(target, { ...none, ...settings });
  switch (proxy.kind) {
    case 'none':
      return proxy.reason;
    case 'invalid':
      return `invalid ${proxy.source}`;
    case 'proxy':
      return `${proxy.host} ${proxy.hostname}:${proxy.port} ${proxy.source}`;
  }
}

describe('proxyFor', () => {
  for (const [what, settings, expected, target] of [
    ['nothing set', {}, 'not-set', url],
    [
      'the setting',
      { proxy: 'http://p.example:3128' },
      'p.example:3128 p.example:3128 http.proxy',
      url,
    ],
    [
      'a port of its scheme',
      { proxy: 'https://p.example/' },
      'p.example p.example:443 http.proxy',
      url,
    ],
    ['a SOCKS proxy', { proxy: 'socks5://p.example' }, 'p.example p.example:1080 http.proxy', url],
    ['an IPv6 proxy', { proxy: 'http://[::1]:80' }, '[::1] ::1:80 http.proxy', url],
    [
      'a variable',
      { env: { HTTPS_PROXY: 'p.example:8080' } },
      'p.example:8080 p.example:8080 HTTPS_PROXY',
      url,
    ],
    [
      'the setting before a variable',
      { proxy: 'http://p.example:1', env: { https_proxy: 'http://q.example:2' } },
      'p.example:1 p.example:1 http.proxy',
      url,
    ],
    [
      'only a variable for http',
      { env: { HTTPS_PROXY: 'http://p.example:1' } },
      'not-set',
      'http://api.example.com',
    ],
    ['proxies turned off', { proxy: 'http://p.example', support: 'off' }, 'switched-off', url],
    ['this machine', { proxy: 'http://p.example' }, 'loopback', 'http://localhost:80'],
    ['an exception', { proxy: 'http://p.example', noProxy: ['*.example.com'] }, 'excepted', url],
    [
      'an exception with a port',
      { proxy: 'http://p.example', env: { NO_PROXY: 'a, api.example.com:443' } },
      'excepted',
      url,
    ],
    [
      'an exception with another port',
      { proxy: 'http://p.example', env: { NO_PROXY: 'api.example.com:80' } },
      'p.example p.example:80 http.proxy',
      url,
    ],
    [
      'an exception for a name that only ends alike',
      { proxy: 'http://p.example', noProxy: ['i.example.com'] },
      'p.example p.example:80 http.proxy',
      url,
    ],
    ['no URL', { proxy: 'http://' }, 'invalid http.proxy', url],
  ] as const) {
    it(`reads ${what}`, () => assert.equal(shown(settings, target), expected));
  }

  it('never shows the user name', () => {
    const proxy = proxyFor(url, { ...none, proxy: 'http://ann:hunter2@p.example:3128' });
    assert.ok(proxy.kind === 'proxy');
    assert.equal(proxy.host, 'p.example:3128');
    assert.equal(new URL(proxy.url).password, 'hunter2');
  });
});
