import assert from 'node:assert/strict';
import { plainTranslate } from '../../../src/common/errors';
import {
  parseSetUpLink,
  setUpLinkProblemText,
  setUpLinkText,
  type SetUpLinkProblem,
} from '../../../src/site/setUpLink';
import { assertNoTrace } from '../../builders/canary';

const key = 'acme_dsc_0123456789abcdef';
const extension = { scheme: 'vscode', id: 'docs-assistant.docs-assistant' };

/** Returns the query as VS Code gives it to the handler of a link: decoded once. */
function queryOf(link: string): string {
  return decodeURIComponent(link.slice(link.indexOf('?') + 1));
}

const problemOf = (query: string): SetUpLinkProblem | undefined => {
  const parsed = parseSetUpLink(query);
  return 'problem' in parsed ? parsed.problem : undefined;
};

describe('parseSetUpLink', () => {
  it('reads a base URL, a site and an assistant key', () => {
    assert.deepEqual(parseSetUpLink(`base=https://api.example.com/x&site=acme&key=${key}`), {
      baseUrl: 'https://api.example.com/x',
      origin: 'https://api.example.com',
      domain: 'acme',
      key,
    });
  });

  it('reads a link without a key, in any order, with parameters of a newer version', () => {
    assert.deepEqual(parseSetUpLink('site=acme&theme=dark&base=https://api.example.com/v2/'), {
      baseUrl: 'https://api.example.com',
      origin: 'https://api.example.com',
      domain: 'acme',
    });
  });

  it('reads values that are still encoded', () => {
    const parsed = parseSetUpLink(
      `base=https%3A%2F%2Fapi.example.com%2Fa%26b&site=acme&key=${key}`,
    );
    assert.equal(
      'problem' in parsed ? parsed.problem : parsed.baseUrl,
      'https://api.example.com/a&b',
    );
  });

  it('allows http:// for this machine only', () => {
    assert.equal(problemOf('base=http://127.0.0.1:8080&site=acme'), undefined);
    assert.equal(problemOf('base=http://localhost:8080&site=acme'), undefined);
    assert.equal(problemOf('base=http://api.example.com&site=acme'), 'not-https');
    assert.equal(problemOf('base=http://127.0.0.1.evil.example&site=acme'), 'not-https');
  });

  for (const [what, base, shown] of [
    ['Cyrillic letters', 'https://\u0430pi.example.com', 'https://xn--pi-6kc.example.com'],
    ['punycode', 'https://xn--pi-6kc.example.com', 'https://xn--pi-6kc.example.com'],
  ] as const) {
    // Shows faults.md S6.
    it(`gives the ASCII form of a host with ${what}`, () => {
      const parsed = parseSetUpLink(`base=${base}&site=acme`);
      assert.ok(!('problem' in parsed));
      assert.equal(parsed.baseUrl, shown);
    });
  }

  it('gives the plain form of a host with wide or escaped letters', () => {
    for (const host of ['ａpi.example.com', 'api。example.com', '%61pi.example.com']) {
      const parsed = parseSetUpLink(`base=https://${host}&site=acme`);
      assert.ok(!('problem' in parsed), host);
      assert.equal(parsed.baseUrl, 'https://api.example.com');
    }
  });

  const site = 'site=acme';
  const base = 'base=https://api.example.com';
  const bad: readonly (readonly [what: string, query: string, problem: SetUpLinkProblem])[] = [
    ['no parameters', '', 'incomplete'],
    ['no site', base, 'incomplete'],
    ['no base URL', site, 'incomplete'],
    ['an empty site', `${base}&site=`, 'incomplete'],
    ['two base URLs', `${base}&${site}&base=https://evil.example`, 'repeated'],
    ['two keys', `${base}&${site}&key=${key}&key=${key}`, 'repeated'],
    ['a value with an "&" of its own', `base=https://api.example.com/a&b&${site}`, 'damaged'],
    ['escapes that mean nothing', `base=https%3A%2F%2Fa.example&site=%E0%A4%A`, 'damaged'],
    ['a million characters', `${base}&${site}&x=${'x'.repeat(1_000_000)}`, 'too-long'],
    ['a long base URL', `${base}/${'x'.repeat(1000)}&${site}`, 'bad-base'],
    ['a 10 kB key', `${base}&${site}&key=acme_dsc_${'x'.repeat(10_000)}`, 'key-too-long'],
    ['a long site', `${base}&site=${'x'.repeat(254)}`, 'bad-site'],
    ['another scheme', `base=file:///etc/passwd&${site}`, 'not-https'],
    ['a script', `base=javascript:alert(1)&${site}`, 'not-https'],
    ["VS Code's own scheme", `base=vscode://a.b/setup&${site}`, 'not-https'],
    ['a host without a scheme', `base=api.example.com&${site}`, 'not-https'],
    ['a user name', `base=https://api.example.com@evil.example&${site}`, 'bad-base'],
    ['a password', `base=https://a:b@evil.example&${site}`, 'bad-base'],
    ['a backslash before another host', `base=https://a.example\\@b.example&${site}`, 'bad-base'],
    ['a query', `base=https://api.example.com?x=1&${site}`, 'bad-base'],
    ['a fragment', `base=https://api.example.com/#x&${site}`, 'bad-base'],
    ['no host', `base=https://&${site}`, 'bad-base'],
    ['a host with a quote', `base=https://a'b.example&${site}`, 'bad-base'],
    ['a line break', `base=https://api.exa\nmple.com&${site}`, 'hidden-characters'],
    ['a tab in the scheme', `base=ht\ttps://api.example.com&${site}`, 'hidden-characters'],
    ['an escape sequence', `${base}&site=ac\u001b[31mme`, 'hidden-characters'],
    ['a text direction mark', `base=https://api.\u202Eexample.com&${site}`, 'hidden-characters'],
    ['a zero-width space', `${base}&site=ac\u200Bme`, 'hidden-characters'],
    ['a soft hyphen', `base=https://exam\u00ADple.com&${site}`, 'hidden-characters'],
    ['a hidden character, encoded', `base=https%3A%2F%2Fa.example%0A&${site}`, 'hidden-characters'],
    ['a hidden character in the key', `${base}&${site}&key=${key}\u200D`, 'hidden-characters'],
    ['half a character', `${base}&site=ac\uD800me`, 'hidden-characters'],
    ['a site that is a path', `${base}&site=acme/../admin`, 'bad-site'],
    ['a site with markup', `${base}&site=<b>acme</b>`, 'bad-site'],
    ['a site with letters that look alike', `${base}&site=\u0430cme`, 'bad-site'],
    ['another site than in the base URL', `${base}/v2/assistant/b/message&site=a`, 'bad-site'],
    ['an admin key', `${base}&${site}&key=acme_0123456789abcdef`, 'admin-key'],
    ['an admin key that looks public', `${base}&${site}&key=acme_x_dsc_0123456789`, 'admin-key'],
    ['a user key', `${base}&${site}&key=acme_us_0123456789abcdef`, 'user-key'],
    ['an empty key', `${base}&${site}&key=`, 'bad-key'],
    ['a key without a prefix', `${base}&${site}&key=0123456789abcdef`, 'bad-key'],
    ['a key in quotes', `${base}&${site}&key="${key}"`, 'bad-key'],
    ['a key with letters that look alike', `${base}&${site}&key=acme_dsc_\u0430bcdef`, 'bad-key'],
  ];
  for (const [what, query, problem] of bad) {
    // Shows faults.md S3, S4, S5.
    it(`refuses ${what}`, () => assert.equal(problemOf(query), problem));
  }

  it('repeats nothing of a refused link', () => {
    for (const [what, query, problem] of bad) {
      const parsed = parseSetUpLink(query);
      assert.deepEqual(Object.keys(parsed), ['problem'], what);
      const text = setUpLinkProblemText(problem, plainTranslate);
      for (const secret of ['acme_0123456789abcdef', 'acme_us_0123456789abcdef', key]) {
        assertNoTrace(secret, text);
      }
      assert.doesNotMatch(text, /example|acme/, what);
    }
  });
});

describe('setUpLinkText', () => {
  it('makes a readable link', () => {
    assert.equal(
      setUpLinkText(extension, { baseUrl: 'https://api.example.com', domain: 'acme' }),
      'vscode://docs-assistant.docs-assistant/setup?base=https%3A%2F%2Fapi.example.com&site=acme',
    );
  });

  for (const baseUrl of [
    'https://api.example.com',
    'https://api.example.com:8443/some/prefix',
    'https://api.example.com/a&b=c',
    'https://api.example.com/100%25',
    'https://api.example.com/v2',
    'https://[2001:db8::1]',
    'http://127.0.0.1:8080',
  ]) {
    for (const made of [key, 'a-b_dsc_x&y=z%41+#?', undefined]) {
      it(`is read as the same site: ${baseUrl} with ${made ?? 'no key'}`, () => {
        const site = { baseUrl, domain: 'ac_me.v-1', key: made };
        const parsed = parseSetUpLink(queryOf(setUpLinkText(extension, site)));
        assert.ok(!('problem' in parsed), 'problem' in parsed ? parsed.problem : '');
        const { baseUrl: readBase, domain, key: readKey } = parsed;
        assert.deepEqual([readBase, domain, readKey], [baseUrl, 'ac_me.v-1', made]);
      });
    }
  }
});
