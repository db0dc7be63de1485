/**
 * Configurations of the MCP server for other clients, each in the format that the client's own
 * documentation gives. None of them holds the key: they refer to an environment variable, ask for
 * it, or have a placeholder where the client knows no reference.
 */
import type { Translate } from '../../common/errors';
import { KEY_PLACEHOLDER, KEY_VARIABLE } from './keyVariable';

/** Name of the server in a client's configuration. Clients put it before the names of the tools. */
export const SERVER_NAME = 'docs-assistant';

/** Name of the server in VS Code, whose documentation asks for camel case. */
export const VSCODE_SERVER_NAME = 'docsAssistant';

export const VSCODE_INPUT = 'docs-assistant-key';

/** Command line that starts the server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables that the command needs. Never a key. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether the docs need an assistant key. Docs on this machine don't. */
  readonly needsKey: boolean;
}

/** A client and the format of its configuration. */
export interface McpClient {
  readonly id: string;
  /** Name of the client, which is not translated. */
  readonly label: string;
  /** Language of the configuration. */
  readonly language: 'json' | 'jsonc' | 'toml';
  /** Returns the sentence that says where the configuration goes. */
  readonly place: (t: Translate) => string;
  /** Returns the sentence that says how the key gets to the server. */
  readonly key: (t: Translate) => string;
  readonly config: (server: ServerCommand, t: Translate) => string;
}

const startWithVariable = (t: Translate): string =>
  t('Set {0} in the environment that the client starts in.', KEY_VARIABLE);
const fillPlaceholder = (t: Translate): string =>
  t('Replace {0} with your assistant key.', KEY_PLACEHOLDER);

export const mcpClients: readonly McpClient[] = [
  {
    id: 'vscode',
    label: 'VS Code',
    language: 'jsonc',
    place: (t) => t('Paste it into the file that MCP: Open User Configuration opens.'),
    key: (t) => t('VS Code asks for the key when the server starts, and stores it securely.'),
    config: (server, t) =>
      jsonText({
        inputs: server.needsKey ? [keyInput(t)] : undefined,
        servers: {
          [VSCODE_SERVER_NAME]: {
            type: 'stdio',
            ...commandAndArgs(server),
            ...envOf(server, `\${input:${VSCODE_INPUT}}`),
          },
        },
      }),
  },
  {
    id: 'claudeCode',
    label: 'Claude Code',
    language: 'json',
    place: (t) => t('Paste it into {0} in the root of the project.', '.mcp.json'),
    key: startWithVariable,
    config: (server) => mcpServers(server, `\${${KEY_VARIABLE}}`),
  },
  {
    id: 'claudeDesktop',
    label: 'Claude Desktop',
    language: 'json',
    place: (t) =>
      t(
        'Paste it into {0}, which Settings > Developer > Edit Config opens. Then restart Claude Desktop.',
        'claude_desktop_config.json',
      ),
    key: fillPlaceholder,
    config: (server) => mcpServers(server, KEY_PLACEHOLDER),
  },
  {
    id: 'cursor',
    label: 'Cursor',
    language: 'json',
    place: (t) => t('Paste it into {0}.', '~/.cursor/mcp.json'),
    key: startWithVariable,
    config: (server) => mcpServers(server, `\${env:${KEY_VARIABLE}}`),
  },
  {
    id: 'windsurf',
    label: 'Windsurf',
    language: 'json',
    place: (t) => t('Paste it into {0}.', '~/.codeium/windsurf/mcp_config.json'),
    key: startWithVariable,
    config: (server) => mcpServers(server, `\${env:${KEY_VARIABLE}}`),
  },
  {
    id: 'zed',
    label: 'Zed',
    language: 'json',
    place: (t) => t('Paste it into Zed’s {0}.', 'settings.json'),
    // Zed passes its own environment on and resolves no references.
    key: startWithVariable,
    config: (server) =>
      jsonText({
        context_servers: { [SERVER_NAME]: { ...commandAndArgs(server), env: server.env } },
      }),
  },
  {
    id: 'codex',
    label: 'Codex',
    language: 'toml',
    place: (t) => t('Paste it into {0}.', '~/.codex/config.toml'),
    key: startWithVariable,
    config: codexToml,
  },
  {
    id: 'geminiCli',
    label: 'Gemini CLI',
    language: 'json',
    place: (t) => t('Paste it into {0}.', '~/.gemini/settings.json'),
    key: startWithVariable,
    config: (server) => mcpServers(server, `$${KEY_VARIABLE}`),
  },
  {
    id: 'openCode',
    label: 'opencode',
    language: 'json',
    place: (t) => t('Paste it into {0}.', 'opencode.json'),
    key: startWithVariable,
    config: (server) =>
      jsonText({
        mcp: {
          [SERVER_NAME]: {
            type: 'local',
            command: [server.command, ...server.args],
            enabled: true,
            ...envOf(server, `{env:${KEY_VARIABLE}}`, 'environment'),
          },
        },
      }),
  },
  {
    id: 'jetBrains',
    label: 'JetBrains AI Assistant',
    language: 'json',
    place: (t) =>
      t(
        'Paste it as JSON in Settings > Tools > AI Assistant > Model Context Protocol (MCP) > Add.',
      ),
    key: fillPlaceholder,
    config: (server) => mcpServers(server, KEY_PLACEHOLDER),
  },
  {
    id: 'other',
    label: 'JSON',
    language: 'json',
    place: (t) => t('Paste it where your client keeps its MCP servers.'),
    key: fillPlaceholder,
    config: (server) => mcpServers(server, KEY_PLACEHOLDER),
  },
];

/** Returns the input by which VS Code asks for the key. */
export function keyInput(t: Translate): object {
  return {
    type: 'promptString',
    id: VSCODE_INPUT,
    description: t('Assistant key of Docs Assistant'),
    password: true,
  };
}

/** Returns the format that Claude Desktop began and most clients read. */
function mcpServers(server: ServerCommand, key: string): string {
  return jsonText({
    mcpServers: { [SERVER_NAME]: { ...commandAndArgs(server), ...envOf(server, key) } },
  });
}

function commandAndArgs({ command, args }: ServerCommand): Record<string, unknown> {
  return { command, args };
}

/** Returns the environment of the server with the reference to its key. Absent if it is empty. */
function envOf(server: ServerCommand, key: string, name = 'env'): Record<string, unknown> {
  const env = server.needsKey ? { ...server.env, [KEY_VARIABLE]: key } : server.env;
  return Object.keys(env).length === 0 ? {} : { [name]: env };
}

/** Returns a table of TOML. Codex passes on only the variables that `env_vars` names. */
function codexToml(server: ServerCommand): string {
  const env = Object.entries(server.env).map(([name, value]) => `${name} = ${tomlString(value)}`);
  return [
    `[mcp_servers.${SERVER_NAME}]`,
    `command = ${tomlString(server.command)}`,
    `args = [${server.args.map(tomlString).join(', ')}]`,
    ...(env.length === 0 ? [] : [`env = { ${env.join(', ')} }`]),
    ...(server.needsKey ? [`env_vars = [${tomlString(KEY_VARIABLE)}]`] : []),
    '',
  ].join('\n');
}

/** Returns a basic string of TOML, which has the escapes of JSON and forbids one more character. */
export function tomlString(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

/** Returns a value as indented JSON with a line end. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
