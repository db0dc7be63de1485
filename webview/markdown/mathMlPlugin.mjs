// @ts-check
/**
 * An esbuild plugin that takes out of KaTeX what only its output `html` needs, which is two fifths of it: functions that
 * place boxes, measures of the characters of its fonts and outlines of signs. Browsers draw MathML themselves.
 */
import { readFile } from 'node:fs/promises';

/** Expressions that match what goes, and what comes in its place. */
const cuts = /** @type {const} */ ([
  // A command's object says with a name, a function or a method how the command becomes HTML.
  [/^ {2}htmlBuilder(?:(?:: [\w$]+)?,$|(?:: |\()[^]*?^ {2}\},?$)/gm, ''],
  [/if \(settings\.output === "mathml"\) (\{[^}]*\}) else [^]*?^\};/m, '$1};'],
  [/^var path = \{[^]*?^\};/m, 'var path = {};'],
  // MathML only asks which characters a font has, and for the height of two letters.
  [/^ {4}"(?!65"|84")(\d+)": \[-?[\d.]+(?:, -?[\d.]+){4}\]/gm, '    "$1": []'],
]);

/** @type {() => import('esbuild').Plugin} */
export const mathMlPlugin = () => ({
  name: 'math-ml',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]katex[/\\]dist[/\\]katex\.mjs$/ }, async ({ path: file }) => ({
      contents: onlyMathMl(await readFile(file, 'utf8')),
    }));
  },
});

/**
 * Returns the source of KaTeX without what MathML doesn't need.
 *
 * @param {string} source
 * @throws {Error} if KaTeX is written in another way
 */
export function onlyMathMl(source) {
  return cuts.reduce((text, [cut, rest]) => {
    if (text.search(cut) < 0) throw new Error(`KaTeX has nothing like ${String(cut)}`);
    return text.replace(cut, rest);
  }, source);
}
