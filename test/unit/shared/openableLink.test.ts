import assert from 'node:assert/strict';
import { dataOfUrl, safeFileName } from '../../../src/chat/context/attachment';
import { openableLink } from '../../../src/shared/links';

describe('openableLink', () => {
  for (const href of [
    'https://example.com/a?b=c#d',
    'http://127.0.0.1:8080/',
    'mailto:a@b.example',
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
    'blob:https://example.com/1',
    '//example.com/',
    '/etc/passwd',
    'example.com',
    'https://docs.example.com@evil.example/',
    'https://\nexample.com/',
    '',
  ]) {
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
    [undefined, 'file'],
  ] as const) {
    it(`proposes ${expected} for ${JSON.stringify(name)}`, () => {
      assert.equal(safeFileName(name, 'file'), expected);
    });
  }
});
