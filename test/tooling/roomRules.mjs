// @ts-check
/** The rules between rooms, for ESLint: what a file may import, and that no imports go in a circle. */
import path from 'node:path';
import { ImportGraph } from './importGraph.mjs';
import { repoRoot } from './paths.mjs';
import { outsideModules, roomOf, rooms, toolkitImporter, vscodeImporters } from './rooms.mjs';

/** @typedef {import('eslint').Rule.RuleModule} RuleModule */

/** @type {ImportGraph | undefined} */
let knownGraph;

/** Reads every file once for all that one run of ESLint looks at. */
function importGraph() {
  return (knownGraph ??= new ImportGraph(repoRoot, ['src', 'webview']));
}

/** @param {string} filename @returns {string} relative to the clone, with forward slashes */
function inClone(filename) {
  return path.relative(repoRoot, filename).replaceAll(path.sep, '/');
}

/**
 * Calls back for each import, re-export and `import()` of a file, types included.
 *
 * @param {(specifier: string, node: import('eslint').Rule.Node) => void} visit
 * @returns {import('eslint').Rule.RuleListener}
 */
function onImports(visit) {
  const take = (/** @type {any} */ node) => {
    const source = node.source ?? node.argument?.literal ?? node.argument;
    if (typeof source?.value === 'string') visit(source.value, node);
  };
  return {
    ImportDeclaration: take,
    ExportNamedDeclaration: take,
    ExportAllDeclaration: take,
    ImportExpression: take,
    TSImportType: take,
  };
}

/** @type {RuleModule} */
const allowedImports = {
  create(context) {
    const file = inClone(context.filename);
    const room = roomOf(file);
    const report = (
      /** @type {import('eslint').Rule.Node} */ node,
      /** @type {string} */ message,
    ) => {
      context.report({ node, message });
    };
    return onImports((specifier, node) => {
      if (specifier === 'vscode' && !vscodeImporters.some((place) => file.startsWith(place))) {
        report(node, `Only ${vscodeImporters.join(', ')} import vscode, types included.`);
      }
      if (specifier.startsWith('@vscode/webview-ui-toolkit') && file !== toolkitImporter) {
        report(node, `The toolkit is archived: import it in ${toolkitImporter} alone.`);
      }
      if (room === undefined) return;
      if ((room === 'webview' || room === 'shared') && specifier.startsWith('node:')) {
        report(node, `${rooms[room]?.folder} runs in a browser, which has no ${specifier}.`);
      }
      const target = importGraph().resolve(file, specifier);
      if (target === undefined) return;
      const targetRoom = roomOf(target) ?? target.split('/')[0] ?? '';
      const allowed = rooms[room]?.mayImport ?? [];
      if (targetRoom === room || allowed.includes(targetRoom)) return;
      const list = allowed.length === 0 ? 'no other room' : allowed.join(', ');
      report(node, `The room "${room}" imports ${list}; this is "${targetRoom}".`);
    });
  },
};

/** @type {RuleModule} */
const noCycles = {
  create(context) {
    const file = inClone(context.filename);
    const graph = importGraph();
    return {
      Program: () => {
        graph.update(file, context.sourceCode.text);
      },
      ...onImports((specifier, node) => {
        const target = graph.resolve(file, specifier);
        const way = target === undefined ? undefined : graph.way(target, file);
        if (!way) return;
        context.report({
          node,
          message: `These imports go in a circle: ${[file, ...way].join(' → ')}.`,
        });
      }),
    };
  },
};

/** @type {RuleModule} */
const namedOutside = {
  create(context) {
    const [first] = context.sourceCode.getAllComments();
    const firstNode = context.sourceCode.ast.body[0];
    const isNamed = first && firstNode && (first.range?.[0] ?? 0) < (firstNode.range?.[0] ?? 0);
    return onImports((specifier, node) => {
      const { importKind } = /** @type {{ importKind?: string }} */ (/** @type {unknown} */ (node));
      if (isNamed || importKind === 'type' || !outsideModules.test(specifier)) return;
      context.report({
        node,
        message: `Say in a comment at the top of the file what it uses ${specifier} for, or take a port.`,
      });
    });
  },
};

export default {
  rules: {
    'allowed-imports': allowedImports,
    'no-cycles': noCycles,
    'named-outside': namedOutside,
  },
};
