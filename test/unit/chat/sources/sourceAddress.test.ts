import assert from 'node:assert/strict';
import {
  localPageAddress,
  packageOfPage,
  sourceAddress,
  webAddressOfPath,
} from '../../../../src/chat/sources/sourceAddress';

describe('the address of a source', () => {
  for (const [address, url, place] of [
    ['https://docs.acme.example/a?b=1#c', 'https://docs.acme.example/a?b=1#c', '/a?b=1#c'],
    ['/guides/start', undefined, '/guides/start'],
    ['guides/start#tokens', undefined, '/guides/start#tokens'],
    ['./guides/start.md?v=2', undefined, '/guides/start.md?v=2'],
    ['/', undefined, '/'],
    ['/../../etc/passwd', undefined, '/etc/passwd'],
    ['/%2e%2e/%2E%2E/etc/passwd', undefined, '/etc/passwd'],
  ] as const) {
    it(`${address} is ${url === undefined ? 'the path' : 'of the web, with the path'} ${place}`, () => {
      const found = sourceAddress(address) ?? assert.fail('no address');
      assert.equal(found.url?.href, url);
      assert.equal(found.pathname + found.search + found.fragment, place);
    });
  }

  for (const address of [
    '',
    '  ',
    '#tokens',
    '?q=1',
    '//evil.example/guides/start',
    'javascript:alert(1)',
    'java\nscript:alert(1)',
    'file:///etc/passwd',
    'path://-/etc/passwd',
    'command:workbench.action.quit',
    'C:\\docs\\start.md',
    'https://',
  ]) {
    it(`${JSON.stringify(address)} is none`, () => {
      assert.equal(sourceAddress(address), undefined);
    });
  }
});

describe('a path that a service sent in the place of an address', () => {
  const at = (path: string): string => `https://docs.acme.example${path}`;

  for (const [path, others, address] of [
    ['/guides/start', [at('/guides/limits'), at('/errors')], at('/guides/start')],
    ['guides/start?v=2#tokens', [at('/guides/limits')], at('/guides/start?v=2#tokens')],
    ['/guides/start', [at('/')], at('/guides/start')],
    ['/guides/start', [at('/docs/guides/limits')], at('/docs/guides/start')],
    ['/docs/errors', [at('/docs/guides/limits'), at('/docs/errors')], at('/docs/errors')],
    ['/guides/start', [at('/guides/start')], at('/guides/start')],
    ['/errors', ['/guides/start', at('/a/b'), at('/c/d'), 'mailto:a@b.example'], at('/errors')],
    ['/../../guides/start', [at('/a/b'), at('/c')], at('/guides/start')],
  ] as const) {
    it(`${path} beside ${others.join(' and ')} is ${address}`, () => {
      assert.equal(webAddressOfPath(path, others)?.href, address);
    });
  }

  for (const [what, path, others] of [
    ['nobody names the origin', '/guides/start', ['/errors', 'guides/limits', '']],
    ['the origins are several', '/guides/start', [at('/a'), 'https://other.example/b']],
    ['the docs may be under a base', '/guides/start', [at('/docs/limits')]],
    ['one page alone says nothing of a base', '/errors', [at('/limits')]],
    ['the path is an address of another host', '//evil.example/x', [at('/a'), at('/b')]],
    ['it is an address already', at('/a'), [at('/a'), at('/b')]],
    ['it is no path', 'javascript:alert(1)', [at('/a'), at('/b')]],
  ] as const) {
    it(`has no address where ${what}`, () => {
      assert.equal(webAddressOfPath(path, others), undefined);
    });
  }

  it('never leads to another origin, however it is written', () => {
    const others = [at('/a'), at('/b')];
    for (const path of [
      '/\\evil.example/x',
      '\\\\evil.example/x',
      '/@evil.example',
      '@evil.example/x',
      ':8080/x',
      '.evil.example/x',
      '%2f%2fevil.example/x',
      '/%5cevil.example',
    ]) {
      const url = webAddressOfPath(path, others);
      assert.ok(url === undefined || url.origin === 'https://docs.acme.example', path);
    }
  });
});

describe('packageOfPage', () => {
  for (const [address, name] of [
    ['http://127.0.0.1:4000/sets/%40acme%2Fsdk%402.1.0/docs/a', '@acme/sdk@2.1.0'],
    ['http://127.0.0.1:4000/sets/%E0/docs/a', undefined],
    ['http://127.0.0.1:4000/docs/a', undefined],
    ['https://docs.acme.example/sets/next/docs/a', undefined],
  ] as const) {
    it(`of ${address} is ${name ?? 'none'}`, () => {
      assert.equal(packageOfPage(address), name);
    });
  }
});

describe('localPageAddress', () => {
  for (const [address, page] of [
    ['http://127.0.0.1:4000/docs/guide/start#in-a-script', 'guide/start#in-a-script'],
    ['http://127.0.0.1:4711/docs/guide/', 'guide/'],
    ['http://127.0.0.1:4000/docs/', ''],
    ['http://127.0.0.1:4000/docs/f%C3%BCr?x=1', 'f%C3%BCr?x=1'],
    ['http://127.0.0.1:4000/docs/../docs/a', 'a'],
    ['http://127.0.0.1:4000/sets/next%4016.4.0/docs/start#b', 'next%4016.4.0/start#b'],
    ['http://127.0.0.1:4000/sets/%40acme%2Fsdk%402.1.0/docs/a', '%40acme/sdk%402.1.0/a'],
    ['http://127.0.0.1:4000/sets/next/other', undefined],
    ['http://127.0.0.1:4000/other/guide', undefined],
    ['http://127.0.0.1:4000/docs/../../etc/passwd', undefined],
    ['https://docs.acme.example/docs/guide', undefined],
    ['/docs/guide', undefined],
  ] as const) {
    it(`of ${address} is ${page ?? 'none'}`, () => {
      assert.equal(localPageAddress(address), page);
    });
  }
});
