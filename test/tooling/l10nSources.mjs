// @ts-check
import path from 'node:path';
import ts from 'typescript';
import { repoRoot } from './paths.mjs';

/** Names by which code calls the function that translates: `t`, `this.#t`, `translate`, `ui.translate`, `l10n.t`. */
const translators = new Set(['t', '#t', 'translate']);

/** Problem of a text whose type isn't literal. `t(table[key])` is fine if the type of `table` lists its texts. */
const NOT_LITERAL =
  'the type of a text that is translated must be a literal or a union of literals';

/**
 * Returns every text that the code under `src` hands to the function that translates, by the types of
 * the arguments. A table with `as const` and a sentence that a parser returns are found like a literal.
 *
 * @returns {{ texts: ReadonlyMap<string, string>, problems: string[] }} each text with the place of
 *   its first use, and the places whose text can't be told
 */
export function translatedTexts() {
  const configFile = path.join(repoRoot, 'src/tsconfig.json');
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    config,
    ts.sys,
    path.dirname(configFile),
  );
  const program = ts.createProgram(fileNames, { ...options, composite: false });
  const checker = program.getTypeChecker();
  /** @type {Map<string, string>} */
  const texts = new Map();
  /** @type {string[]} */
  const problems = [];

  /** @param {ts.Node} node @returns {string} */
  const placeOf = (node) => {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    return `${path.relative(repoRoot, file.fileName).replaceAll(path.sep, '/')}:${line + 1}`;
  };

  /** @param {ts.Expression} argument */
  const add = (argument) => {
    const type = checker.getTypeAtLocation(argument);
    const parts = type.isUnion() ? type.types : [type];
    if (!parts.every((part) => part.isStringLiteral())) {
      problems.push(`${placeOf(argument)}: ${argument.getText()}: ${NOT_LITERAL}`);
      return;
    }
    for (const part of parts) {
      if (part.isStringLiteral() && !texts.has(part.value))
        texts.set(part.value, placeOf(argument));
    }
  };

  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isCallExpression(node) && node.arguments[0] !== undefined) {
      const { expression } = node;
      const name = ts.isPropertyAccessExpression(expression) ? expression.name : expression;
      // The translator passes on its own parameter.
      const isName = ts.isIdentifier(name) || ts.isPrivateIdentifier(name);
      if (isName && translators.has(name.text) && !isParameter(node.arguments[0])) {
        add(node.arguments[0]);
      }
    }
    ts.forEachChild(node, visit);
  };

  /** @param {ts.Expression} argument @returns {boolean} whether it is the text that a translator was given */
  const isParameter = (argument) => {
    const declared = checker.getSymbolAtLocation(argument)?.valueDeclaration;
    if (declared === undefined || !ts.isParameter(declared)) return false;
    const owner = declared.parent;
    return (
      ts.isVariableDeclaration(owner.parent) &&
      ts.isIdentifier(owner.parent.name) &&
      translators.has(owner.parent.name.text)
    );
  };

  const folder = path.join(repoRoot, 'src') + path.sep;
  for (const file of program.getSourceFiles()) {
    if (path.resolve(file.fileName).startsWith(folder)) visit(file);
  }
  return { texts, problems };
}
