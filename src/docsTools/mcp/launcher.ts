/** A small program that other MCP clients start, because the extension's folder changes with updates. */

interface LauncherOptions {
  /** Absolute path of the extension's folder now. Its name ends with the version. */
  readonly extensionFolder: string;
  /** Absolute path of the folder with all extensions. */
  readonly extensionsFolder: string;
  /** Publisher and name, in lower case. */
  readonly extensionId: string;
}

/**
 * Returns the source of a module for Node that runs the command line of the newest version that is
 * installed. It reads nothing but names of folders and the list of versions that VS Code will delete.
 */
export function launcherText(options: LauncherOptions): string {
  const { extensionFolder, extensionsFolder, extensionId } = options;
  return `// Written by Docs Assistant. Runs the newest version that is installed, so that a configuration
// stays valid when the extension is updated.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const extensions = ${JSON.stringify(extensionsFolder)};
const current = ${JSON.stringify(extensionFolder)};
const prefix = ${JSON.stringify(`${extensionId.toLowerCase()}-`)};

function read(action, otherwise) {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

const numbers = (name) => name.slice(prefix.length).split(/[.-]/, 3).map(Number);
function compare(one, other) {
  const [left, right] = [numbers(one), numbers(other)];
  for (let place = 0; place < 3; place++) {
    if (left[place] !== right[place]) return right[place] - left[place];
  }
  return 0;
}

const obsolete = read(
  () => JSON.parse(readFileSync(path.join(extensions, '.obsolete'), 'utf8')),
  {},
);
const installed = read(() => readdirSync(extensions), [])
  .filter((name) => name.toLowerCase().startsWith(prefix) && obsolete[name] !== true)
  .sort(compare)
  .map((name) => path.join(extensions, name));
const program = [...installed, current]
  .map((folder) => path.join(folder, 'dist', 'mcp.js'))
  .find((file) => existsSync(file));
if (program === undefined) {
  console.error('Docs Assistant is not installed. Install the extension, or remove this MCP server.');
  process.exit(1);
}
await import(pathToFileURL(program).href);
`;
}
