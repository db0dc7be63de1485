import assert from 'node:assert/strict';
import path from 'node:path';
import { pathForDownload } from '../../../../src/export/download/bundleDownload';

describe('pathForDownload', () => {
  const date = new Date(2026, 10, 1, 23, 59);
  const nameFor = (exportDomain: string): string =>
    path.basename(pathForDownload('folder', exportDomain, date));

  it('returns a file in the folder, named after the site and the local date', () => {
    assert.equal(
      pathForDownload(path.join('a', 'b'), 'docs.example.com', date),
      path.join('a', 'b', 'docs.example.com-2026-11-01.tar.gz'),
    );
  });

  for (const [exportDomain, name] of [
    ['../../etc/passwd', 'etc-passwd'],
    ['docs.example.com:8443', 'docs.example.com-8443'],
    ['a<b>c:d"e/f\\g|h?i*j', 'a-b-c-d-e-f-g-h-i-j'],
    ['con.example.com', 'site-con.example.com'],
    ['LPT1.example.com', 'site-LPT1.example.com'],
    ['console.example.com', 'console.example.com'],
    ['', 'site'],
    ['...', 'site'],
    ['bücher.example', 'b-cher.example'],
    ['a'.repeat(300), 'a'.repeat(100)],
  ] as const) {
    it(`makes a name that is valid on every system from ${JSON.stringify(exportDomain.slice(0, 30))}`, () => {
      assert.equal(nameFor(exportDomain), `${name}-2026-11-01.tar.gz`);
    });
  }
});
