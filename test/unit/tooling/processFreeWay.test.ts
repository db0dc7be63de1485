import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ImportGraph } from '../../tooling/importGraph.mjs';

/** Tests run in the clone's folder. */
const repoRoot = process.cwd();

/** Loads with the first question to a service. Docs on this machine don't need it. */
const hostedWay = 'src/chat/assistant/assistantClient.ts';

/** Imports that no way without a server, a child process and a stream of events has. */
const forbidden = [
  { name: 'a child process', pattern: /from 'node:child_process'/ },
  { name: 'an HTTP server', pattern: /from '(?:@hono\/[\w/-]+|hono(?:\/[\w/-]+)?)'/ },
  {
    name: 'an HTTP server of Node',
    pattern: /import (?:type )?\{[^}]*\b(?:createServer|Server)\b[^}]*\} from 'node:https?'/,
  },
  { name: 'a stream of the chat SDK', pattern: /createUIMessageStream/ },
  { name: 'a reader of events', pattern: /\bclass EventReader\b/ },
];

const graph = new ImportGraph(repoRoot, ['src']);

/** Returns the texts of the files that a file imports at run time, at once or later, without imports of types. */
function textsFrom(entry: string): ReadonlyMap<string, string> {
  const found = new Set<string>([entry]);
  const texts = new Map<string, string>();
  for (const file of found) {
    const whole = readFileSync(path.join(repoRoot, file), 'utf8');
    const text = whole.replace(/^(?:import|export) type [^;]*;$/gm, '');
    texts.set(file, text);
    graph.update(file, text);
    for (const next of graph.importsOf(file)) if (next !== hostedWay) found.add(next);
  }
  return texts;
}

describe('A question to docs on this machine', () => {
  for (const [way, entry] of [
    ['ask --docs', 'src/cli/ask/askCommand.ts'],
    ['test --docs', 'src/cli/test/testCommand.ts'],
    ['mcp --docs', 'src/cli/mcp/mcpCommand.ts'],
  ] as const) {
    it(`needs no server, no child process and no stream of events with ${way}`, () => {
      const texts = textsFrom(entry);
      const found = [...texts].flatMap(([file, text]) =>
        forbidden
          .filter(({ pattern }) => pattern.test(text))
          .map(({ name }) => `${name}: ${(graph.way(entry, file) ?? [file]).join(' → ')}`),
      );
      assert.deepEqual(found, []);
      assert.ok(texts.has('src/docs/docsLibrary.ts'), 'the way ends before the docs');
    });
  }
});
