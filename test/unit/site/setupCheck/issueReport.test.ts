import assert from 'node:assert/strict';
import { issueReport } from '../../../../src/site/setupCheck/issueReport';

const environment = {
  extensionVersion: '0.1.0',
  editor: 'Visual Studio Code 1.101.0',
  platform: 'linux x64',
  checkedAt: Date.UTC(2025, 5, 1, 12, 34),
};
const home = '/home/ada.lovelace';

const report = (lines: readonly string[], secrets: readonly string[] = [], folder = home) =>
  issueReport(environment, lines, { secrets, home: folder });

describe('issueReport', () => {
  it('has the versions and the log', async () => {
    assert.equal(
      await report(['12:00 [info] a', '12:01 [warn] b']),
      [
        'Docs Assistant 0.1.0, Visual Studio Code 1.101.0, linux x64, 2025-06-01 12:34 UTC',
        '',
        '```',
        '12:00 [info] a',
        '12:01 [warn] b',
        '```',
      ].join('\n'),
    );
  });

  it('says that the log is empty', async () => {
    assert.match(await report([]), /^```\nThe log is empty\.\n```$/m);
  });

  for (const [what, line, secret] of [
    ['a key that was seen only later', 'got plain words7 back', 'plain words7'],
    ['an assistant key', 'sent acme_dsc_0123456789abcdef', 'acme_dsc_0123456789abcdef'],
    ['a bearer value', 'Authorization: Bearer x7Gq2LmZ', 'x7Gq2LmZ'],
    ['a presigned query', 'GET https://store.example.com/b.tgz?sig=R4nd0m', 'R4nd0m'],
    ['a user name in a URL', 'via http://ada:hunter22@proxy.example.com', 'hunter22'],
    ['a password in a text', 'env DB_PASSWORD=Xq7vR2mLp9Zt failed', 'Xq7vR2mLp9Zt'],
    ['a token of another service', `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`, 'a1B2c3D4e5'],
    ['the home folder', `at ${home}/.vscode/extensions/x.js:1:2`, 'ada.lovelace'],
  ] as const) {
    // Shows faults.md F9, S14.
    it(`has no trace of ${what}`, async () => {
      const text = await report(['before', line, 'after'], ['plain words7']);
      assert.ok(!text.includes(secret), text);
      assert.match(text, /before\n[^]*\nafter/);
    });
  }

  it('has no home folder of Windows either, in any of its forms', async () => {
    const text = await report(
      ['at C:\\Users\\Ada\\x.js', 'file:///C:/Users/Ada/x.js', '{"path":"C:\\\\Users\\\\Ada"}'],
      [],
      'C:\\Users\\Ada',
    );
    assert.ok(!text.includes('Ada'), text);
  });

  it('keeps the end of a long log, in whole lines', async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `line ${index} of the log`);
    const text = await report(lines);
    assert.ok(text.length < 5500);
    assert.match(text, /```\n…\nline \d+ of the log\n/);
    assert.ok(text.endsWith('line 1999 of the log\n```'));
  });

  it('keeps a log with code fences within its own', async () => {
    assert.match(await report(['a', '````', 'b']), /\n`````\na\n````\nb\n`````$/);
  });
});
