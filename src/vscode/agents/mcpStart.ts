/** Tells the MCP server of a window which docs to ask. Loaded when VS Code starts the server. */
import * as vscode from 'vscode';
import { activeTarget } from '../../docsTools/activeTarget';
import type { DocsTarget } from '../../docsTools/docsTools';
import { TARGET_VARIABLE, targetText } from '../../docsTools/mcp/targetVariable';
import type { Log } from '../../common/ports';
import type { ActiveSite } from '../../site/activeSite';
import type { LocalServiceEntry } from '../docs/localServiceEntry';
import { currentProxy } from '../site/setupEnvironment';
import { translate } from '../notifications';

interface McpStartPorts {
  readonly site: ActiveSite;
  readonly localService: LocalServiceEntry;
  readonly log: Log;
}

interface StartedServer {
  readonly definition: vscode.McpStdioServerDefinition;
  readonly key: string | undefined;
}

/**
 * Returns the definition with the docs to ask and their key. The key goes only into the server's
 * environment. Asks for a key if none is saved.
 * @returns undefined if the reader gave no key. The server doesn't start then.
 * @throws Error with a sentence for the reader.
 */
export async function startedServer(
  definition: vscode.McpServerDefinition,
  ports: McpStartPorts,
): Promise<StartedServer | undefined> {
  const { localService, log, site } = ports;
  if (!(definition instanceof vscode.McpStdioServerDefinition)) return undefined;
  await localService.tryResume();
  const target = await targetWithKey(ports);
  if (target === 'canceled') return undefined;
  if (!target) throw new Error(translate('Set up a docs site or choose docs first.'));
  log.info('Starting the MCP server');
  const { label, command, args, env, version } = definition;
  return {
    // The key goes into a new definition, because VS Code keeps the one that it was given.
    definition: new vscode.McpStdioServerDefinition(
      ...([label, command, args] as const),
      {
        ...env,
        ...proxyEnvironment(target),
        // Company gateways have certificates that only the system knows.
        NODE_USE_SYSTEM_CA: '1',
        [TARGET_VARIABLE]: targetText(target),
      },
      version,
    ),
    key: site.local ? undefined : target.key,
  };
}

async function targetWithKey({
  site,
}: McpStartPorts): Promise<DocsTarget | 'canceled' | undefined> {
  const target = await activeTarget(site);
  const { origin } = site;
  if (!target || target.key !== undefined || origin === undefined) return target;
  const { setAssistantKey } = await import('../site/setUpSite');
  return (await setAssistantKey(origin, site)) ? activeTarget(site) : 'canceled';
}

/** Returns the proxy of VS Code's requests in the variables that Node reads since 22.21. */
function proxyEnvironment({ settings, local }: DocsTarget): Record<string, string> {
  if (local || settings.baseUrl === undefined) return {};
  const proxy = currentProxy(settings.baseUrl);
  if (proxy.kind !== 'proxy') return {};
  return { NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
}
