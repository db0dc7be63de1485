import assert from 'node:assert/strict';
import { dataOfUrl } from '../../../src/chat/context/attachment';
import { safeFileName } from '../../../src/chat/context/fileNames';
import { mailReceivers, openableLink } from '../../../src/shared/links';

describe('openableLink', () => {
  for (const href of [
    'https://example.com/a?b=c#d',
    'http://127.0.0.1:8080/',
    'mailto:a@b.example',
    'mailto:a@b.example,c%2Bd@e.example?cc=f@g.example&subject=a%0Ab',
  ]) {
    it(`lets ${href} through`, () => assert.equal(openableLink(href), href));
  }

  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    ' \u0001javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:msgbox(1)',
    'command:workbench.action.terminal.new',
    'vscode:extension/evil',
    'vscode-insiders://x',
    'file:///etc/passwd',
    'mailto:javascript:alert(1)',
    'mailto:',
    'mailto:a@b.example%0D%0ABcc:c@d.example',
    'mailto:a@b.example%0Abcc=c',
    'mailto:a@b.example%3Bc%40d.example',
    'blob:https://example.com/1',
    '//example.com/',
    '/etc/passwd',
    'example.com',
    'https://docs.example.com@evil.example/',
    'https://:docs.example.com@evil.example/',
    'https://\nexample.com/',
    '',
  ]) {
    // Shows faults.md G9.
    it(`refuses ${JSON.stringify(href)}`, () => assert.equal(openableLink(href), undefined));
  }
});

describe('dataOfUrl', () => {
  it('reads base64', () => {
    assert.deepEqual(dataOfUrl('data:text/csv;charset=utf-8;base64,YSxi'), {
      mediaType: 'text/csv',
      bytes: Buffer.from('a,b'),
    });
  });

  it('reads percent-encoded text and a missing type', () => {
    assert.deepEqual(dataOfUrl('data:,a%20b'), {
      mediaType: 'text/plain',
      bytes: Buffer.from('a b'),
    });
  });

  for (const url of ['https://example.com/', 'data:text/plain', 'data:,%zz']) {
    it(`gives nothing for ${url}`, () => assert.equal(dataOfUrl(url), undefined));
  }
});

describe('safeFileName', () => {
  for (const [name, expected] of [
    ['report.pdf', 'report.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a.txt', 'a.txt'],
    ['..', 'file'],
    ['.bashrc', 'bashrc'],
    ['a\u0000b?.txt. ', 'ab.txt'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['a\u200b\u2066.txt', 'a.txt'],
    ['\u2060', 'file'],
    [`${'x'.repeat(200)}.csv`, `${'x'.repeat(116)}.csv`],
    [`${'x'.repeat(115)}😀.csv`, `${'x'.repeat(115)}.csv`],
    [`x.${'y'.repeat(200)}`, `x.${'y'.repeat(118)}`],
    [undefined, 'file'],
  ] as const) {
    it(`proposes ${expected} for ${JSON.stringify(name)}`, () => {
      assert.equal(safeFileName(name), expected);
    });
  }
});

// Shows faults.md G15.
describe('mailReceivers', () => {
  for (const [href, ...receivers] of [
    ['mailto:a@b.example', 'a@b.example'],
    ['mailto:a@b.example,c@d.example', 'a@b.example', 'c@d.example'],
    ['mailto:a@b.example%2Cc%40d.example', 'a@b.example', 'c@d.example'],
    ['mailto:a@b.example?subject=c@d.example', 'a@b.example'],
    [
      'mailto:a@b.example?TO=c@d.example&cc=e%40f.example&b%63c=g@h.example,%20i@j.example',
      ...['a@b.example', 'c@d.example', 'e@f.example', 'g@h.example', 'i@j.example'],
    ],
    ['mailto:help@\u0430cme.com', 'help@%D0%B0cme.com'],
    ['mailto:a+b@c.example?cc=', 'a+b@c.example'],
    ['mailto:a@b.example?cc=%E0%A4%A', 'a@b.example', '%E0%A4%A'],
  ] as const) {
    it(`are ${receivers.join(' and ')} of ${href}`, () => {
      assert.deepEqual(mailReceivers(new URL(href)), receivers);
    });
  }
});
