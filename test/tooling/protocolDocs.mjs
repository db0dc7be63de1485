/**
 * Writes `docs/protocol.md` from `src/shared/protocol.ts`, so that the page cannot drift from the
 * types. With `--check` it fails when the page is stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const page = path.join(root, 'docs/protocol.md');

/** @param {string} text one line, safe in a table cell */
const cell = (text) => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

/** @param {ts.InterfaceDeclaration} node @param {string} field */
function* members(node, field) {
  for (const member of node.members) {
    if (!ts.isPropertySignature(member) || !member.type) continue;
    const fields = ts.isTypeLiteralNode(member.type) ? member.type.members : [];
    const inner = fields.find((entry) => entry.name?.getText() === field);
    const type = inner && ts.isPropertySignature(inner) ? inner.type : member.type;
    yield { name: member.name.getText().replaceAll("'", ''), type: cell(type?.getText() ?? '') };
  }
}

/** @returns {Promise<string>} the page as it should be */
export async function renderProtocolDocs() {
  const source = await readFile(path.join(root, 'src/shared/protocol.ts'), 'utf8');
  const file = ts.createSourceFile('protocol.ts', source, ts.ScriptTarget.Latest, true);
  const interfaces = new Map(
    file.statements.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, node]),
  );
  const requests = interfaces.get('ViewRequests');
  const events = interfaces.get('HostEvents');
  const version = /PROTOCOL_VERSION = (\d+)/.exec(source)?.[1];
  if (!requests || !events || !version) throw new Error('protocol.ts has changed its shape');
  const results = new Map([...members(requests, 'result')].map(({ name, type }) => [name, type]));
  return [
    '# Messages between host and webview',
    '',
    '<!-- Generated from src/shared/protocol.ts by test/tooling/protocolDocs.mjs. Do not edit. -->',
    '',
    `Protocol version ${version}. The types are in \`src/shared/protocol.ts\`, with the schema of each request.`,
    '',
    '## Requests, from the webview to the host',
    '',
    '| Name | Params | Result |',
    '|---|---|---|',
    ...[...members(requests, 'params')].map(
      ({ name, type }) => `| \`${name}\` | \`${type}\` | \`${results.get(name) ?? ''}\` |`,
    ),
    '',
    '## Events, from the host to the webview',
    '',
    '| Name | Params |',
    '|---|---|',
    ...[...members(events, '')].map(({ name, type }) => `| \`${name}\` | \`${type}\` |`),
    '',
    'Changes of a running reply travel apart, as tuples `[seq, ...ops]` (`src/shared/replyOps.ts`).',
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
