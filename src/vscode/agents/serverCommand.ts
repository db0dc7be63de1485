/**
 * Returns the command with which other MCP clients start the server. Uses `node:child_process` and
 * `node:fs`.
 */
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type * as vscode from 'vscode';
import { isFile } from '../../common/onDisk';
import { launcherText } from '../../docsTools/mcp/launcher';
import type { ServerCommand } from '../../docsTools/mcp/clientConfigs';

/** Oldest Node that runs the server, as package.json says. */
const MIN_NODE = [20, 19] as const;

/** Longest wait for the version of one Node on the path. */
const VERSION_LIMIT_MS = 3000;

/**
 * Returns the program that runs the server, with its first argument. Writes a file for it, whose
 * path stays the same when the extension is updated.
 */
export async function serverCommand({
  extension,
  extensionUri,
  globalStorageUri,
}: Pick<vscode.ExtensionContext, 'extension' | 'extensionUri' | 'globalStorageUri'>): Promise<
  Pick<ServerCommand, 'command' | 'args' | 'env'>
> {
  const folder = path.join(globalStorageUri.fsPath, 'mcp');
  const launcher = path.join(folder, 'docs-assistant.mjs');
  const extensionFolder = extensionUri.fsPath;
  await mkdir(folder, { recursive: true });
  await writeFile(
    launcher,
    launcherText({
      extensionFolder,
      extensionsFolder: path.dirname(extensionFolder),
      extensionId: extension.id,
    }),
  );
  const node = await nodeOnPath(process.env);
  return node === undefined
    ? // VS Code's own Node. In desktop VS Code it acts as Node only with this variable.
      { command: process.execPath, args: [launcher], env: { ELECTRON_RUN_AS_NODE: '1' } }
    : { command: node, args: [launcher], env: {} };
}

/** Returns the absolute path of the first Node on the path that is new enough. */
async function nodeOnPath(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const folder of (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter)) {
    if (!path.isAbsolute(folder)) continue;
    const file = path.join(folder, name);
    if ((await isFile(file)) && (await isNewEnough(file))) return file;
  }
  return undefined;
}

function isNewEnough(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(file, ['--version'], { timeout: VERSION_LIMIT_MS }, (error, output) => {
      const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(output) ?? [];
      const [minMajor, minMinor] = MIN_NODE;
      const isNew =
        Number(major) > minMajor || (Number(major) === minMajor && Number(minor) >= minMinor);
      resolve(!error && isNew);
    });
  });
}
