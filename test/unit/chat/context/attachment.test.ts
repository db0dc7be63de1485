import assert from 'node:assert/strict';
import { decodeBase64, readAttachment } from '../../../../src/chat/context/attachment';
import { freeName } from '../../../../src/chat/context/fileNames';

describe('readAttachment', () => {
  it('carries the content whole, under the type that the content says', () => {
    const content = Buffer.from('{"a": "ü"}');
    assert.deepEqual(readAttachment('a.json', content), {
      mediaType: 'application/json',
      sizeBytes: 11,
      url: `data:application/json;base64,${content.toString('base64')}`,
    });
  });

  it('takes no more than its own part of a shared buffer', () => {
    const whole = Buffer.from('secret text secret');
    const read = readAttachment('a.txt', whole.subarray(7, 11));
    assert.ok(typeof read === 'object');
    assert.equal(read.url, `data:text/plain;base64,${Buffer.from('text').toString('base64')}`);
  });

  it('refuses empty files and files of another kind', () => {
    assert.equal(readAttachment('a.txt', new Uint8Array()), 'empty');
    assert.equal(readAttachment('a.txt', Buffer.from([0, 1, 2])), 'kind');
  });
});

describe('decodeBase64', () => {
  it('gives the bytes back', () => {
    for (const text of ['', 'a', 'ab', 'abc', 'grüße']) {
      const encoded = Buffer.from(text).toString('base64');
      assert.equal(Buffer.from(decodeBase64(encoded) ?? []).toString(), text);
    }
  });

  for (const text of ['YQ', 'YQ=', 'Y=Q=', '====', 'Y Q=', 'YQ==\n', 'YQ-_', 'data:text/plain,']) {
    it(`refuses ${JSON.stringify(text)}, of which Node would read a part`, () =>
      assert.equal(decodeBase64(text), undefined));
  }
});

describe('freeName', () => {
  it('leaves a name that nothing else has', () => assert.equal(freeName('a.md', ['b.md']), 'a.md'));

  it('numbers the next of the same name before its extension', () => {
    assert.equal(freeName('a.tar.gz', ['a.tar.gz']), 'a.tar (2).gz');
    assert.equal(freeName('image.png', ['image.png', 'image (2).png']), 'image (3).png');
    assert.equal(freeName('.env', ['.env']), '.env (2)');
    assert.equal(freeName('Makefile', ['Makefile']), 'Makefile (2)');
  });
});
