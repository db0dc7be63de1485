import assert from 'node:assert/strict';
import { usedIcons } from '../../../webview/codiconPlugin.mjs';

const styles = `.codicon-loading {
	animation: codicon-spin 1.5s steps(30) infinite;
}
.codicon-close:before { content: "\\ea76" }
.codicon-copy:before { content: "\\ebcc" }
.codicon-zap:before { content: "\\ea86" }
`;

describe('usedIcons', () => {
  it('keeps an icon that a script or a style names', () => {
    const { names, characters } = usedIcons(styles, [
      "icon('close')",
      '.button .codicon-copy { color: red }',
    ]);
    assert.deepEqual([...names], ['close', 'copy']);
    assert.equal(characters, '\uea76\uebcc');
  });

  it('keeps the character of an icon that a style shows without its name', () => {
    const { names, characters } = usedIcons(styles, ["a::before { content: '\\ea86'; }"]);
    assert.deepEqual([...names], []);
    assert.equal(characters, '\uea86');
  });
});
