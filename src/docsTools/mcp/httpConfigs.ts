/**
 * Configurations with which clients reach the MCP server of a company's service over HTTP, each in the format that the
 * client's own documentation gives. None of them holds the key. Clients that can't send it are left out.
 */
import type { Translate } from '../../common/errors';
import {
  jsonText,
  keyInput,
  SERVER_NAME,
  tomlString,
  VSCODE_INPUT,
  VSCODE_SERVER_NAME,
} from './clientConfigs';
import { KEY_PLACEHOLDER, KEY_VARIABLE } from './keyVariable';

type HttpConfig = (url: string, t: Translate) => string;

const headersWith = (key: string): object => ({ Authorization: `Bearer ${key}` });

/** Returns the format that most clients read. */
const mcpServers = (server: object): string => jsonText({ mcpServers: { [SERVER_NAME]: server } });

/** Configurations by the IDs of the clients. */
export const httpConfigs: Readonly<Partial<Record<string, HttpConfig>>> = {
  vscode: (url, t) =>
    jsonText({
      inputs: [keyInput(t)],
      servers: {
        [VSCODE_SERVER_NAME]: {
          type: 'http',
          url,
          headers: headersWith(`\${input:${VSCODE_INPUT}}`),
        },
      },
    }),
  claudeCode: (url) =>
    mcpServers({ type: 'http', url, headers: headersWith(`\${${KEY_VARIABLE}}`) }),
  cursor: (url) => mcpServers({ url, headers: headersWith(`\${env:${KEY_VARIABLE}}`) }),
  windsurf: (url) =>
    mcpServers({ serverUrl: url, headers: headersWith(`\${env:${KEY_VARIABLE}}`) }),
  codex: (url) =>
    [
      `[mcp_servers.${SERVER_NAME}]`,
      `url = ${tomlString(url)}`,
      `bearer_token_env_var = ${tomlString(KEY_VARIABLE)}`,
      '',
    ].join('\n'),
  geminiCli: (url) => mcpServers({ httpUrl: url, headers: headersWith(`$${KEY_VARIABLE}`) }),
  openCode: (url) =>
    jsonText({
      mcp: {
        [SERVER_NAME]: {
          type: 'remote',
          url,
          enabled: true,
          headers: headersWith(`{env:${KEY_VARIABLE}}`),
        },
      },
    }),
  other: (url) => mcpServers({ type: 'http', url, headers: headersWith(KEY_PLACEHOLDER) }),
};
