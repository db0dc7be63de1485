import assert from 'node:assert/strict';
import { redirectRules, type RedirectRules } from '../../../../src/export/hosting/redirectRules';
import type { Redirect } from '../../../../src/export/hosting/redirects';
import { SiteAddresses } from '../../../../src/export/hosting/siteAddresses';

const addresses = new SiteAddresses([
  'index.html',
  '404.html',
  'start.html',
  'guides/index.html',
  'grüße & more.html',
  'files/app.js',
]);

const rulesOf = (redirects: readonly (readonly [string, string])[], basePath = ''): RedirectRules =>
  redirectRules(
    redirects.map(([from, to]): Redirect => ({ from, to, status: 301 })),
    addresses,
    basePath,
  );

const shown = ({ rules }: RedirectRules): string[] =>
  rules.map(({ from, to }) => `${from} → ${to}`);
const reasons = ({ unusable }: RedirectRules): string[] =>
  unusable.map(({ from, reason }) => `${from} ${reason}`);

describe('redirects for a host', () => {
  it('lead to the URL at which a page answers, whatever its form', () => {
    assert.deepEqual(
      shown(
        rulesOf([
          ['/a', '/start.html'],
          ['/b/', '/start/'],
          ['/c/index.html', '/guides/index.html'],
          ['/d', '/guides'],
          ['/e', '/files/app.js'],
          ['/f', '/start?x=1#top'],
        ]),
      ),
      [
        '/a → /start',
        '/b → /start',
        '/c/index.html → /guides/',
        '/d → /guides/',
        '/e → /files/app.js',
        '/f → /start?x=1#top',
      ],
    );
  });

  it('write a target in characters that mean nothing in a configuration', () => {
    const { rules } = rulesOf([['/x', '/gr%C3%BC%C3%9Fe%20&%20more?a=$b;"c{d}\\']]);
    assert.match(rules[0]?.to ?? '', /^\/gr%C3%BC%C3%9Fe%20%26%20more\?[A-Za-z0-9=%]*$/);
  });

  it('lead directly to the last target', () => {
    assert.deepEqual(
      shown(
        rulesOf([
          ['/one', '/two'],
          ['/two', '/three.html'],
          ['/three', '/start'],
        ]),
      ),
      ['/one → /start', '/two → /start', '/three → /start'],
    );
  });

  // Shows faults.md D32.
  it('are left out if they form a loop, start at an existing page, lack a target or occur twice', () => {
    const rules = rulesOf([
      ['/one', '/two'],
      ['/two', '/one'],
      ['/self', '/self.html'],
      ['/start', '/guides'],
      ['/guides', '/start'],
      ['/gone', '/nowhere'],
      ['/a', '/start'],
      ['/a/', '/guides'],
    ]);
    assert.deepEqual(shown(rules), ['/a → /start']);
    assert.deepEqual(reasons(rules), [
      '/start page-exists',
      '/guides page-exists',
      '/a/ repeated',
      '/one loop',
      '/two loop',
      '/self loop',
      '/gone no-target',
    ]);
  });

  it('keep a redirect of one file beside a folder of the same name', () => {
    const rules = rulesOf([
      ['/guides.html', '/guides/'],
      ['/start.html', '/guides/'],
    ]);
    assert.deepEqual(shown(rules), ['/guides.html → /guides/']);
    assert.deepEqual(reasons(rules), ['/start.html page-exists']);
  });

  // Shows faults.md D36.
  it('never match one URL twice, because servers refuse such a configuration', () => {
    const { rules } = rulesOf([
      ['/tour', '/start'],
      ['/tour.html', '/guides/'],
      ['/walk', '/start'],
      ['/walk/index', '/guides/'],
    ]);
    const all = rules.flatMap(({ forms }) => forms);
    assert.deepEqual(all, [...new Set(all)]);
    const formsOf = (path: string): unknown => rules.find(({ from }) => from === path)?.forms;
    assert.deepEqual(formsOf('/tour'), ['/tour', '/tour/', '/tour/index.html']);
    assert.deepEqual(formsOf('/tour.html'), ['/tour.html']);
    assert.deepEqual(formsOf('/walk/index'), [
      '/walk/index',
      '/walk/index/',
      '/walk/index/index.html',
    ]);
  });

  it('leave the 404 page to the host', () => {
    const rules = rulesOf([
      ['/404', '/start'],
      ['/404.html', '/start'],
    ]);
    assert.deepEqual(shown(rules), []);
    assert.deepEqual(reasons(rules), ['/404 page-exists', '/404.html page-exists']);
  });

  it('refuse addresses that leave the site or hide in it', () => {
    const hostile = [
      '//evil.example/x',
      '/\\evil.example',
      '/%5c%5cevil.example',
      '/a%0d%0ab',
      '/%ff',
      '/..%2f..%2fetc',
      '/',
    ];
    for (const address of hostile) {
      assert.deepEqual(shown(rulesOf([[address, '/start']])), [], address);
    }
    for (const address of hostile.filter((one) => one !== '/')) {
      assert.deepEqual(shown(rulesOf([['/old', address]])), [], address);
    }
  });

  it('stay below the base path of the site, and may lead to its neighbors', () => {
    const rules = rulesOf(
      [
        ['/docs/old', '/docs/start'],
        ['/docs/blog', '/blog/post?x'],
        ['/old', '/docs/start'],
      ],
      '/docs',
    );
    assert.deepEqual(shown(rules), ['/docs/old → /docs/start', '/docs/blog → /blog/post?x']);
    assert.deepEqual(reasons(rules), ['/old bad-address']);
  });
});
