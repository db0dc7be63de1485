import assert from 'node:assert/strict';
import { parseSiteAddress } from '../../../../src/service/sets/siteAddress';

describe('parseSiteAddress', () => {
  for (const [text, url, label] of [
    ['https://docs.example.com', 'https://docs.example.com/', 'docs.example.com'],
    [' https://Docs.Example.com/a/ ', 'https://docs.example.com/a/', 'docs.example.com/a'],
    ['docs.example.com/v2?x=1#top', 'https://docs.example.com/v2', 'docs.example.com/v2'],
    ['docs.example.com:8443', 'https://docs.example.com:8443/', 'docs.example.com:8443'],
    ['localhost:3000', 'http://localhost:3000/', 'localhost:3000'],
    ['127.0.0.1:3000/docs', 'http://127.0.0.1:3000/docs', '127.0.0.1:3000/docs'],
    ['https://example.com/f%C3%BCr', 'https://example.com/f%C3%BCr', 'example.com/für'],
  ] as const) {
    it(`reads ${text.trim()} as ${url}`, () => {
      const parsed = parseSiteAddress(text);
      assert.ok(parsed.ok);
      assert.equal(parsed.url, url);
      assert.equal(parsed.label, label);
      assert.equal(parsed.origin, new URL(url).origin);
    });
  }

  for (const [text, reason] of [
    ['', 'empty'],
    ['  ', 'empty'],
    ['ftp://docs.example.com', 'wrong-scheme'],
    ['javascript:alert(1)', 'not-an-address'],
    ['file:///etc/passwd', 'not-an-address'],
    ['https://', 'not-an-address'],
    ['two words', 'not-an-address'],
    ['docs', 'not-an-address'],
    ['https://me:secret@docs.example.com', 'has-user'],
  ] as const) {
    // Shows faults.md I2.
    it(`refuses “${text}” as ${reason}`, () => {
      const parsed = parseSiteAddress(text);
      assert.ok(!parsed.ok);
      assert.equal(parsed.reason, reason);
    });
  }

  it('distinguishes http:// to another machine from https:// and from this machine', () => {
    const isUnencrypted = (text: string) => {
      const parsed = parseSiteAddress(text);
      return parsed.ok && parsed.isUnencrypted;
    };
    assert.equal(isUnencrypted('http://docs.corp.example'), true);
    assert.equal(isUnencrypted('https://docs.corp.example'), false);
    assert.equal(isUnencrypted('http://127.0.0.1:8080'), false);
  });
});
