import assert from 'node:assert/strict';
import {
  looksLikeAssistantDomain,
  parseExportDomain,
} from '../../../../src/export/commands/settings';

describe('parseExportDomain', () => {
  for (const [text, exportDomain, isCleaned] of [
    ['docs.example.com', 'docs.example.com', false],
    [' Docs.Example.COM ', 'docs.example.com', false],
    ['sample', 'sample', false],
    ['docs_1.example.com', 'docs_1.example.com', false],
    ['192.0.2.7', '192.0.2.7', false],
    ['https://docs.example.com/guides/start?x=1#y', 'docs.example.com', true],
    ['docs.example.com/', 'docs.example.com', true],
    ['docs.example.com:8443', 'docs.example.com', true],
    ['docs.example.com.', 'docs.example.com', true],
    ['//docs.example.com/a', 'docs.example.com', true],
    ['https://user:secret@docs.example.com', 'docs.example.com', true],
    ['https://dökü.example', 'xn--dk-fkaz.example', true],
  ] as const) {
    it(`finds the host name in “${text}”`, () => {
      assert.deepEqual(parseExportDomain(text), { ok: true, exportDomain, isCleaned });
    });
  }

  for (const text of [
    '',
    '   ',
    'docs example com',
    'file:///etc/passwd',
    'ftp://docs.example.com',
    'https://',
    'https://[::1]/',
    'a..b',
    '-docs.example.com',
    `${'a'.repeat(64)}.com`,
    'docs.example.com\nHost: evil.example',
  ]) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.equal(parseExportDomain(text).ok, false);
    });
  }

  it('quotes at most one line of a refused text', () => {
    const refusal = parseExportDomain('x y'.repeat(100));
    assert.ok(!refusal.ok && refusal.detail.length <= 80);
  });
});

describe('looksLikeAssistantDomain', () => {
  it('recognizes the configured domain, and a name without a dot', () => {
    assert.equal(looksLikeAssistantDomain('acme.docs', 'Acme.docs'), true);
    assert.equal(looksLikeAssistantDomain('acme', ''), true);
    assert.equal(looksLikeAssistantDomain('docs.example.com', 'acme'), false);
  });
});
