import assert from 'node:assert/strict';
import { fileType } from '../../../src/shared/fileType';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

describe('fileType', () => {
  for (const [content, type] of [
    ['\x89PNG\r\n\x1a\n\0\0', 'image/png'],
    ['\xff\xd8\xff\xe0\0', 'image/jpeg'],
    ['GIF87a\0', 'image/gif'],
    ['GIF89a\0', 'image/gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'image/webp'],
    ['%PDF-1.7\n%\xe2\xe3', 'application/pdf'],
  ] as const) {
    it(`knows ${type} by how it begins, whatever its name`, () =>
      assert.equal(fileType('notes.txt', bytes(content)), type));
  }

  for (const [name, type] of [
    ['README.md', 'text/markdown'],
    ['PARCELS.CSV', 'text/csv'],
    ['data.json', 'application/json'],
    ['config.yml', 'application/yaml'],
    ['feed.xml', 'application/xml'],
    ['logo.svg', 'text/plain'],
    ['start.ts', 'text/plain'],
    ['Makefile', 'text/plain'],
    ['.env', 'text/plain'],
    ['a.constructor', 'text/plain'],
    ['a.__proto__', 'text/plain'],
  ] as const) {
    it(`calls the text ${name} ${type}`, () =>
      assert.equal(fileType(name, Buffer.from('grüße 👋\n')), type));
  }

  for (const [what, content] of [
    ['a program', 'MZ\x90\0\x03'],
    ['a zip archive', 'PK\x03\x04\x14\0'],
    ['text in UTF-16', '\xff\xfeh\0i\0'],
    ['text in Latin-1', 'gr\xfc\xdfe'],
    ['a sound in RIFF', 'RIFF\x10\0\0\0WAVEfmt '],
    ['half a PNG signature', '\x89PNG'],
    ['text with NUL', 'a\0b'],
  ] as const) {
    it(`refuses ${what}, even if it is called .md`, () =>
      assert.equal(fileType('notes.md', bytes(content)), undefined));
  }

  it('looks at a part of a larger buffer only', () => {
    const whole = Buffer.concat([Buffer.from([0]), Buffer.from('text')]);
    assert.equal(fileType('a.txt', whole.subarray(1)), 'text/plain');
  });
});
