import assert from 'node:assert/strict';
import {
  bundleAddress,
  isExpired,
  linkRefusals,
  parseBundleUrl,
  type LinkRefusal,
} from '../../../../src/export/download/bundleLink';

const publicApi = 'https://api.example.com/v1';
const query = '?X-Amz-Expires=3600&X-Amz-Signature=a%2Fb%2Bc%3D';

const refusalOf = (url: string, api = publicApi): LinkRefusal | undefined => {
  const parsed = parseBundleUrl(url, api);
  return parsed.ok ? undefined : parsed.reason;
};

describe('parseBundleUrl', () => {
  it('keeps the link unchanged, so that its signature stays valid', () => {
    const url = `https://store.example.com/a%20b/bundle.tar.gz${query}`;
    assert.deepEqual(parseBundleUrl(url, publicApi), { ok: true, url });
  });

  it('removes spaces around the link and a fragment', () => {
    const parsed = parseBundleUrl(` https://store.example.com/b${query}#part\n`, publicApi);
    assert.deepEqual(parsed, { ok: true, url: `https://store.example.com/b${query}` });
  });

  for (const [url, refusal] of [
    ['', 'not-an-address'],
    ['https://store.example.com/a\nhttps://store.example.com/b', 'not-one-link'],
    ['https://store.example.com/a.tar.gz\r\n?sig=1', 'not-one-link'],
    ['https://store.example.com/a\tb', 'not-one-link'],
    ['https://store.example.com/a https://store.example.com/b', 'not-one-link'],
    ['bundle.tar.gz', 'not-an-address'],
    ['/bundles/1', 'not-an-address'],
    ['https://', 'not-an-address'],
    ['https://[::1', 'not-an-address'],
    ['file:///etc/passwd', 'wrong-scheme'],
    ['data:application/gzip;base64,H4sI', 'wrong-scheme'],
    ['ftp://store.example.com/b', 'wrong-scheme'],
    ['javascript:alert(1)', 'wrong-scheme'],
    ['http://store.example.com/b', 'not-encrypted'],
    ['http://127.0.0.1/b', 'not-encrypted'],
    ['https://user@store.example.com/b', 'has-user'],
    ['https://:secret@store.example.com/b', 'has-user'],
    [`https://store.example.com/${'a'.repeat(16_384)}`, 'too-long'],
  ] as const) {
    it(`refuses ${JSON.stringify(url.slice(0, 60))}: ${refusal}`, () => {
      assert.equal(refusalOf(url), linkRefusals[refusal]);
    });
  }

  const privateHosts = [
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'printer.local',
    'store.internal',
    'nas.home.arpa',
    'minio',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:10.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[fc00::1]',
    '[fd12:3456::1]',
    '[fe80::1]',
    '[ff02::1]',
    // Documentation (RFC 5737, RFC 3849, RFC 9637) and benchmarking (RFC 2544, RFC 5180).
    '192.0.2.1',
    '198.51.100.7',
    '203.0.113.255',
    '[2001:db8::1]',
    '[2001:db8:ffff::1]',
    '[3fff::1]',
    '[3fff:fff::1]',
    '198.19.255.255',
    '[2001:2::1]',
    // IPv4 within IPv6: translated (RFC 2765, RFC 6052, RFC 8215), mapped, compatible, 6to4, Teredo.
    '[::ffff:0:127.0.0.1]',
    '[::ffff:0:8.8.8.8]',
    '[::ffff:0:7f00:1]',
    '[::ffff:203.0.113.1]',
    '[::ffff:100.64.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::203.0.113.1]',
    '[64:ff9b:1:ffff::8.8.8.8]',
    '[64:ff9b::1:0:0]',
    '[::8.8.8.8]',
    '[2002:808:808::1]',
    '[2001::1]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    // Kept for protocols and other uses that no public host has.
    '0.1.2.3',
    '192.0.0.170',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '239.255.255.255',
    '240.0.0.1',
    '[::2]',
    '[100::1]',
    '[2001:3::1]',
    '[2001:4:112::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:30::1]',
    '[2620:4f:8000::1]',
    '[4000::1]',
    '[5f00::1]',
    '[8000::1]',
    '[fec0::1]',
    '[feff::1]',
  ];
  for (const host of privateHosts) {
    it(`refuses ${host} from a public API, and accepts it from a private one`, () => {
      const url = `https://${host}:9000/bundle.tar.gz`;
      assert.equal(refusalOf(url), linkRefusals['private-host']);
      assert.equal(refusalOf(url, 'https://10.0.0.5/v1'), undefined);
      assert.equal(refusalOf(url, 'http://localhost:4000'), undefined);
    });
  }

  for (const host of [
    'store.example.com',
    'local.example.com',
    'localhost.example.com',
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '[2606:4700::1111]',
    '[::ffff:8.8.8.8]',
    '[64:ff9b::8.8.8.8]',
    '[64:ff9b::808:808]',
    '192.0.1.1',
    '198.17.255.255',
    '198.20.0.1',
    '203.0.112.1',
    '[2001:200::1]',
    '[2001:db7::1]',
    '[2001:db9::1]',
    '[2003::1]',
    '[2a00:1450::200e]',
    '[3ffe::1]',
  ]) {
    it(`accepts ${host} from a public API`, () => {
      assert.equal(refusalOf(`https://${host}/bundle.tar.gz`), undefined);
    });
  }

  it('accepts http only from this machine to this machine', () => {
    const url = 'http://127.0.0.1:4000/bundle.tar.gz';
    assert.equal(refusalOf(url, 'http://localhost:5000'), undefined);
    assert.equal(refusalOf(url, 'http://[::1]:5000/v1'), undefined);
    assert.equal(refusalOf(url, 'https://10.0.0.5'), linkRefusals['not-encrypted']);
    const elsewhere = 'http://10.0.0.5/bundle.tar.gz';
    assert.equal(refusalOf(elsewhere, 'http://localhost:5000'), linkRefusals['not-encrypted']);
  });

  it('treats an API without a URL as public', () => {
    for (const api of ['', 'local', 'not an address']) {
      assert.equal(refusalOf('https://127.0.0.1/b', api), linkRefusals['private-host']);
      assert.equal(refusalOf('https://store.example.com/b', api), undefined);
    }
  });
});

describe('bundleAddress', () => {
  it('returns the origin and path, and nothing that opens the bundle', () => {
    const url = `https://store.example.com:8443/a/bundle.tar.gz${query}#x`;
    assert.equal(bundleAddress(url), 'https://store.example.com:8443/a/bundle.tar.gz');
  });

  it('returns nothing for an invalid URL', () => {
    assert.equal(bundleAddress('bundle?signature=secret'), '');
  });
});

describe('the expiry of a link', () => {
  const url = 'https://store.example.com/b';
  const now = Date.parse('2026-11-21T12:00:00Z');

  it('has passed at its date and within the margin before it', () => {
    const link = { url, expiresAt: now };
    assert.equal(isExpired(link, now - 1), false);
    assert.equal(isExpired(link, now), true);
    assert.equal(isExpired(link, now - 5000, 5000), true);
    assert.equal(isExpired(link, now - 5001, 5000), false);
  });

  it('never passes if no date was given', () => {
    assert.equal(isExpired({ url }, now, 1e9), false);
  });
});
