import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { launcherText } from '../../../src/docsTools/mcp/launcher';

describe('the launcher of other MCP clients', () => {
  let root: string;
  let extensions: string;
  let launcher: string;

  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-launcher-'));
    // A name that a careless source would break at.
    extensions = path.join(root, `ex'ten"sions \${x}`);
    launcher = path.join(root, 'docs-assistant.mjs');
    await mkdir(extensions);
    await write('docs-assistant.docs-assistant-0.9.0');
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Installs a version, which prints its folder and its arguments. */
  async function install(name: string): Promise<void> {
    const dist = path.join(extensions, name, 'dist');
    await mkdir(dist, { recursive: true });
    const print = `console.log(JSON.stringify([${JSON.stringify(name)}, ...process.argv.slice(2)]));`;
    await writeFile(path.join(dist, 'mcp.js'), print);
    await writeFile(path.join(extensions, name, 'package.json'), '{"type":"module"}');
  }

  async function write(current: string): Promise<void> {
    const source = launcherText({
      extensionFolder: path.join(extensions, current),
      extensionsFolder: extensions,
      extensionId: 'Docs-Assistant.docs-assistant',
    });
    await writeFile(launcher, source);
  }

  function run(): { output: unknown; code: number | null; stderr: string } {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [launcher, 'mcp', '--docs', 'a b'],
      {
        encoding: 'utf8',
      },
    );
    return { output: stdout === '' ? undefined : JSON.parse(stdout), code: status, stderr };
  }

  // Shows faults.md M14.
  it('runs the newest version that is installed, by numbers', async () => {
    for (const version of ['0.9.0', '0.10.0-linux-x64', '0.2.11', '0.9.12']) {
      await install(`docs-assistant.docs-assistant-${version}`);
    }
    await install('docs-assistant.other-9.0.0');
    assert.deepEqual(run().output, [
      'docs-assistant.docs-assistant-0.10.0-linux-x64',
      ...['mcp', '--docs', 'a b'],
    ]);
  });

  it('ignores versions that VS Code will delete, and folders without the program', async () => {
    for (const version of ['0.9.0', '1.0.0', '2.0.0']) {
      await install(`docs-assistant.docs-assistant-${version}`);
    }
    await rm(path.join(extensions, 'docs-assistant.docs-assistant-1.0.0', 'dist'), {
      recursive: true,
    });
    const obsolete = JSON.stringify({ 'docs-assistant.docs-assistant-2.0.0': true });
    await writeFile(path.join(extensions, '.obsolete'), obsolete);
    assert.deepEqual((run().output as string[])[0], 'docs-assistant.docs-assistant-0.9.0');
  });

  it('runs an extension in another folder, as in development', async () => {
    await install('checkout');
    await write('checkout');
    await writeFile(path.join(extensions, '.obsolete'), 'no JSON');
    assert.deepEqual((run().output as string[])[0], 'checkout');
  });

  it('says on stderr that nothing is installed', () => {
    const { output, code, stderr } = run();
    assert.equal(output, undefined);
    assert.equal(code, 1);
    assert.equal(
      stderr.trim(),
      'Docs Assistant is not installed. Install the extension, or remove this MCP server.',
    );
  });
});
