import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as katex from 'katex';
import { onlyMathMl } from '../../../../webview/markdown/mathMlPlugin.mjs';

const file = path.join(path.dirname(createRequire(import.meta.url).resolve('katex')), 'katex.mjs');
const source = readFileSync(file, 'utf8');

/** Returns a formula as MathML, or the sentence that says why it isn't one. */
function drawn({ renderToString }: Pick<typeof katex, 'renderToString'>, formula: string): string {
  try {
    return renderToString(formula, { output: 'mathml', strict: 'ignore', displayMode: true });
  } catch (error: unknown) {
    return String(error);
  }
}

describe('KaTeX without its HTML', () => {
  it('draws each command and each character as all of KaTeX does', async () => {
    const reduced: unknown = await import(
      `data:text/javascript;base64,${Buffer.from(onlyMathMl(source)).toString('base64')}`
    );
    assert.ok(isKatex(reduced));
    const commands = new Set(
      [...source.matchAll(/"\\(\\(?:[a-zA-Z]+|.))"/g)].map(([, name = '']) => name),
    );
    for (const printing of ['message', 'errmessage', 'show']) commands.delete(`\\${printing}`);
    const formulas = [...commands].flatMap((command) => [`${command}{x}{y}`, `x${command} y^2_3`]);
    const blocks = [
      [0x20, 0x500],
      [0x2000, 0x2300],
    ] as const;
    for (const [start, end] of blocks) {
      for (let code = start; code < end; code++) {
        const character = String.fromCharCode(code);
        formulas.push(`${character} \\mathbb{${character}} \\mathcal{${character}}`);
      }
    }
    const environments = ['matrix', 'cases', 'align', 'array', 'CD', 'gathered', 'smallmatrix'];
    formulas.push(
      ...environments.map((name) => `\\begin{${name}}{cc} a & b \\\\ \\hline c & d\\end{${name}}`),
      String.raw`\LaTeX \KaTeX \href{https://a.test}{x} \htmlClass{a}{b} \includegraphics{a.png}`,
    );
    const different = formulas.filter(
      (formula) => drawn(katex, formula) !== drawn(reduced, formula),
    );
    assert.deepEqual(different, []);
    const count = formulas.filter((formula) => drawn(reduced, formula).startsWith('<')).length;
    assert.ok(count > 2_000, `only ${count} are formulas`);
  });

  it('is refused where KaTeX is written in another way', () => {
    assert.throws(() => onlyMathMl('export {};'), /KaTeX has nothing like/);
  });
});

function isKatex(value: unknown): value is Pick<typeof katex, 'renderToString'> {
  return typeof value === 'object' && value !== null && 'renderToString' in value;
}
