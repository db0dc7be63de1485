// @ts-check
/** Lint rules for rooms: which files a file may import, and that no imports form a cycle. */
import path from 'node:path';
import { ImportGraph } from './importGraph.mjs';
import { outsideModules, roomOf, rooms, toolkitImporter, vscodeImporters } from './rooms.mjs';

/**
 * The part of ESLint's plugin interface that these rules use.
 *
 * @typedef {object} Context
 * @property {string} cwd the clone's top folder
 * @property {string} filename
 * @property {any} sourceCode
 * @property {(problem: { node?: unknown, loc?: unknown, message: string }) => void} report
 *
 * @typedef {{ create: (context: Context) => Record<string, (node: any) => void> }} Rule
 */

/** @type {ImportGraph | undefined} */
let knownGraph;

/** Returns the graph of all imports. It reads every file once per lint run. @param {Context} context */
function importGraph({ cwd }) {
  return (knownGraph ??= new ImportGraph(cwd, ['src', 'webview']));
}

/** @param {Context} context @returns {string} the file relative to the clone, with forward slashes */
function inClone({ cwd, filename }) {
  return path.relative(cwd, filename).replaceAll(path.sep, '/');
}

/**
 * Calls back for each import, re-export and `import()` of a file, types included.
 *
 * @param {(specifier: string, node: any) => void} visit
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

/** Rooms whose own code runs in a browser. */
const browserRooms = new Set(['webview', 'siteBox', 'shared']);

/** @type {Rule} */
const allowedImports = {
  create(context) {
    const file = inClone(context);
    const room = roomOf(file);
    const report = (/** @type {unknown} */ node, /** @type {string} */ message) => {
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
      if (browserRooms.has(room) && specifier.startsWith('node:')) {
        report(node, `${rooms[room]?.folder} runs in a browser, which has no ${specifier}.`);
      }
      const target = importGraph(context).resolve(file, specifier);
      if (target === undefined) return;
      const targetRoom = roomOf(target) ?? target.split('/')[0] ?? '';
      const allowed = rooms[room]?.mayImport ?? [];
      if (targetRoom === room || allowed.includes(targetRoom)) return;
      const list = allowed.length === 0 ? 'no other room' : allowed.join(', ');
      report(node, `The room "${room}" imports ${list}; this is "${targetRoom}".`);
    });
  },
};

/** @type {Rule} */
const noCycles = {
  create(context) {
    const file = inClone(context);
    const graph = importGraph(context);
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

/** @type {Rule} */
const namedOutside = {
  create(context) {
    const [first] = context.sourceCode.getAllComments();
    const firstNode = context.sourceCode.ast.body[0];
    const isNamed = first && firstNode && (first.range?.[0] ?? 0) < (firstNode.range?.[0] ?? 0);
    return onImports((specifier, node) => {
      if (isNamed || node.importKind === 'type' || !outsideModules.test(specifier)) return;
      context.report({
        node,
        message: `Say in a comment at the top of the file what it uses ${specifier} for, or take a port.`,
      });
    });
  },
};

export default {
  meta: { name: 'rooms' },
  rules: {
    'allowed-imports': allowedImports,
    'no-cycles': noCycles,
    'named-outside': namedOutside,
  },
};
