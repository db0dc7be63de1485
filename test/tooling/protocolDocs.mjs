/**
 * Writes `docs/protocol.md` from `src/shared/protocol.ts`, so that the page always matches the
 * schemas. With `--check`, it fails if the page is out of date.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const shared = path.join(root, 'src/shared');
const page = path.join(root, 'docs/protocol.md');

/** @param {string} text one line, safe in a table cell */
const cell = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

/**
 * A schema of valibot, as far as messages use it.
 *
 * @typedef {object} Schema
 * @property {string} type
 * @property {Record<string, Schema>} [entries] fields of an object
 * @property {any[]} [options] names of a picklist, or schemas of a union
 * @property {Schema} [wrapped] schema of a value that may be absent or null
 * @property {Schema} [item] schema of an array's items
 */

/** @typedef {Record<string, Schema>} Schemas by name */

/** Files whose types the page calls by their names. */
const typeFiles = ['protocol.ts', 'uiMessage.ts', 'errorInfo.ts'];

/**
 * @param {Schema | undefined} schema
 * @param {Map<Schema | undefined, string>} typeNames names of the types that are declared for schemas
 * @returns {string} its type as TypeScript writes it
 */
function typeOf(schema, typeNames) {
  const known = typeNames.get(schema);
  if (known) return known;
  switch (schema?.type) {
    case 'picklist':
      return (schema.options ?? []).map((name) => `'${name}'`).join(' | ');
    case 'union':
      return (schema.options ?? []).map((option) => typeOf(option, typeNames)).join(' | ');
    case 'array':
      return `${typeOf(schema.item, typeNames)}[]`;
    case 'nullable':
      return `${typeOf(schema.wrapped, typeNames)} | null`;
    case 'string':
    case 'number':
    case 'boolean':
      return schema.type;
    case 'object': {
      const fields = Object.entries(schema.entries ?? {}).map(([name, field]) =>
        field.type === 'optional'
          ? `${name}?: ${typeOf(field.wrapped, typeNames)}`
          : `${name}: ${typeOf(field, typeNames)}`,
      );
      return fields.length === 0 ? '{}' : `{ ${fields.join('; ')} }`;
    }
    default:
      throw new Error(`The page can't show a schema of the type ${schema?.type}`);
  }
}

/**
 * @returns {Promise<{ PROTOCOL_VERSION: number, viewRequestSchemas: Schemas, resultSchemas: Schemas, hostEventSchemas: Schemas } & Schemas>}
 *   what the protocol and its messages export
 */
async function sharedExports() {
  const { outputFiles } = await build({
    stdin: {
      contents:
        "export * from './protocol'; export * from './errorInfo'; export * from './messageSchemas';",
      resolveDir: shared,
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = encodeURIComponent(outputFiles[0]?.text ?? '');
  return import(`data:text/javascript,${code}`);
}

/** @returns {Promise<string>} the page as it should be */
export async function renderProtocolDocs() {
  const exported = await sharedExports();
  const sources = await Promise.all(
    typeFiles.map((name) => readFile(path.join(shared, name), 'utf8')),
  );
  const declared = sources.join('\n').matchAll(/export type (\w+) = Parsed<typeof (\w+)>/g);
  const typeNames = new Map(
    [...declared].map(([, type = '', schema = '']) => [exported[schema], type]),
  );
  typeNames.delete(undefined);
  const shown = (/** @type {Schema | undefined} */ schema) => cell(typeOf(schema, typeNames));
  const { PROTOCOL_VERSION, viewRequestSchemas, resultSchemas, hostEventSchemas } = exported;
  return [
    '# Messages between host and webview',
    '',
    '<!-- Generated from src/shared/protocol.ts by test/tooling/protocolDocs.mjs. Do not edit. -->',
    '',
    'The chat panel sends requests to the extension host, and each request gets a result or an error. The host',
    'sends events. `src/shared/protocol.ts` has the schema of each message.',
    '',
    `The protocol has version ${PROTOCOL_VERSION}. If the two sides differ, the host reloads the view.`,
    '',
    '## Requests, from the webview to the host',
    '',
    '| Name | Params | Result |',
    '|---|---|---|',
    ...Object.entries(viewRequestSchemas).map(([name, params]) => {
      const result = resultSchemas[name];
      return `| \`${name}\` | \`${shown(params)}\` | \`${result ? shown(result) : 'null'}\` |`;
    }),
    '',
    '## Events, from the host to the webview',
    '',
    '| Name | Params |',
    '|---|---|',
    ...Object.entries(hostEventSchemas).map(
      ([name, params]) => `| \`${name}\` | \`${shown(params)}\` |`,
    ),
    '',
    'The host sends changes of a running reply as tuples `[seq, ...ops]` (`src/shared/replyOps.ts`).',
    '',
  ].join('\n');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rendered = await renderProtocolDocs();
  if (!process.argv.includes('--check')) await writeFile(page, rendered);
  else if ((await readFile(page, 'utf8')) !== rendered) {
    console.error('docs/protocol.md is stale: run `node test/tooling/protocolDocs.mjs`.');
    process.exitCode = 1;
  }
}
