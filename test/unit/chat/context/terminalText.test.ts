import assert from 'node:assert/strict';
import { terminalText } from '../../../../src/chat/context/terminalText';

describe('terminalText', () => {
  it('leaves out colors, titles, cursor moves, bells and space at the ends', () => {
    const raw =
      '\u001b]0;title\u0007\u001b[1;31mnpm ERR!\u001b[0m code\u001b[K   \r\n\r\n\u001b]8;;http://x\u001b\\link\u0007\r\n\u001b[?25h\n\n';
    assert.equal(terminalText(raw, 1000), 'npm ERR! code\n\nlink');
  });

  it('keeps the end of what is over the limit, in whole lines', () => {
    const text = Array.from({ length: 100 }, (_, at) => `line ${at}`).join('\n');
    assert.equal(terminalText(text, 15), 'line 98\nline 99');
    assert.equal(terminalText(text, 14), 'line 99');
  });

  it('gives nothing for nothing, and for one line that is over the limit', () => {
    assert.equal(terminalText(' \r\n\n', 100), '');
    assert.equal(terminalText('x'.repeat(200), 100), '');
  });

  it('reads hostile sequences in time that grows with their length', () => {
    // Reading in quadratic time exceeds the limit of the test.
    for (const part of ['\u001b]', '\u001b[', '\u001b[0', ' ', '\n', '\u001b]0;']) {
      terminalText(`x${part.repeat(200_000)}x`, 100_000);
    }
  });
});
