import assert from 'node:assert/strict';
import { isDeviceName } from '../../../../src/common/text/deviceNames';

describe('names of devices on Windows', () => {
  for (const name of [
    'nul',
    'CON',
    'aux.html',
    'NUL.tar.gz',
    'nul .txt',
    'com1',
    'LPT³.md',
    'CONIN$',
  ]) {
    it(`include ${name}`, () => assert.equal(isDeviceName(name), true));
  }

  for (const name of ['', 'null', 'console.md', 'com10', 'a.nul', ' nul', 'com', 'nul-1.txt']) {
    it(`don’t include ${JSON.stringify(name)}`, () => assert.equal(isDeviceName(name), false));
  }
});
