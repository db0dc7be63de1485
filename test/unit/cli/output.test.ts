import assert from 'node:assert/strict';
import { Output } from '../../../src/cli/output';

/** Controls the terminal, turns text around, and gives commands to GitHub and Azure. */
const nasty =
  '::stop-commands::x\u001b[2J\u001b[31m\u009b2J\r\u202e\u{e0041}\n##vso[task.complete]y';
const seen = /^: :stop-commands::x\[2J\[31m2J ?## vso|^: :stop-commands::x/;

function printed(print: (output: Output) => void): string {
  let text = '';
  print(new Output({ write: (piece) => (text += piece) }));
  return text;
}

describe('Output', () => {
  it('prints each text without what controls a terminal or CI, or hides text', () => {
    const texts = {
      text: printed((output) => output.text(nasty)),
      pieces: printed((output) => {
        for (const piece of Array.from(nasty)) output.text(piece);
      }),
      line: printed((output) => output.line(nasty)),
      replaced: printed((output) => output.replaceLine(nasty)).slice('\r\u001b[K'.length),
    };
    for (const [name, text] of Object.entries(texts)) {
      assert.match(text, seen, name);
      assert.doesNotMatch(text, /[^\P{Cc}\n]|\u202e|\u{e0041}|##\w*\[/u, name);
    }
    assert.equal(texts.text, texts.pieces);
    assert.equal(texts.line.split('\n').length, 2);
  });

  it('keeps only the styles of a text for a terminal', () => {
    const text = printed((output) => output.styled(`\u001b[1m::error::\u001b[22m\u001b[2J\n`));
    assert.equal(text, '\u001b[1m: :error::\u001b[22m[2J\n');
  });

  it('prints JSON with the same value, of visible characters and without commands', () => {
    for (const indent of [undefined, 2]) {
      const text = printed((output) => output.json({ nasty }, indent));
      assert.doesNotMatch(text, /[^\P{Cc}\n]|\p{Default_Ignorable_Code_Point}|##\w*\[/u);
      assert.deepEqual(JSON.parse(text), { nasty });
      assert.equal(text.split('\n').length, indent === undefined ? 2 : 4);
    }
  });

  it('prints a command for CI only where it is asked for', () => {
    const text = printed((output) => {
      output.ciCommand('::error title=a::b ##[c]\n::d\u001b[0m');
      output.line('::e');
    });
    assert.equal(text, '::error title=a::b ## [c] ::d[0m\n: :e\n');
  });
});
