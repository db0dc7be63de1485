/** *Copy MCP Configuration…*, loaded on first use. */
import * as vscode from 'vscode';
import { commands } from '../../common/contributions';
import { SERVICE_MCP } from '../../common/http/companyApi';
import type { Clock, Fetch } from '../../common/ports';
import { type McpClient, mcpClients } from '../../docsTools/mcp/clientConfigs';
import { type DocsArguments, docsArguments } from '../../docsTools/mcp/docsArguments';
import { httpConfigs } from '../../docsTools/mcp/httpConfigs';
import type { ActiveSite } from '../../site/activeSite';
import { findCompanyService } from '../../site/companyService';
import type { LocalServiceEntry } from '../docs/localServiceEntry';
import { plainText, translate } from '../notifications';
import { serverCommand } from './serverCommand';

interface CopyMcpPorts {
  readonly context: Pick<
    vscode.ExtensionContext,
    'extension' | 'extensionUri' | 'globalStorageUri'
  >;
  readonly site: ActiveSite;
  readonly localService: LocalServiceEntry;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Asks for a client and copies its configuration of the MCP server for the docs of this window. */
export async function copyMcpConfiguration(ports: CopyMcpPorts): Promise<void> {
  const { context, localService, site } = ports;
  await localService.resume();
  const docs = docsArguments(site);
  if (!docs) {
    const setUp = translate('Set Up Docs Site…');
    const choose = translate('Choose Docs…');
    const chosen = await vscode.window.showInformationMessage(
      translate('Set up a docs site or choose docs first.'),
      ...[setUp, choose],
    );
    if (chosen === setUp) await vscode.commands.executeCommand(commands.setUpSite);
    if (chosen === choose) await vscode.commands.executeCommand(commands.chooseDocs);
    return;
  }
  const client = await pickClient(site.view.label);
  if (!client) return;
  const http = await httpConfiguration(client, ports);
  if (!http) return;
  const configuration = http.text ?? (await stdioConfiguration(client, docs, context));
  await vscode.env.clipboard.writeText(configuration);
  const { remoteName } = vscode.env;
  const sentences = [
    translate('Copied the MCP configuration for {0}.', labelOf(client)),
    client.place(translate),
    ...(docs.needsKey ? [client.key(translate)] : []),
    ...(remoteName === undefined || http.text !== undefined
      ? []
      : [
          translate(
            'The configuration works only on the machine of this window ({0}).',
            remoteName,
          ),
        ]),
  ];
  const show = translate('Show');
  const chosen = await vscode.window.showInformationMessage(plainText(sentences.join(' ')), show);
  if (chosen !== show) return;
  const { language } = client;
  const document = await vscode.workspace.openTextDocument({ language, content: configuration });
  await vscode.window.showTextDocument(document);
}

async function stdioConfiguration(
  client: McpClient,
  { args, needsKey }: DocsArguments,
  context: CopyMcpPorts['context'],
): Promise<string> {
  const program = await serverCommand(context);
  return client.config({ ...program, args: [...program.args, ...args], needsKey }, translate);
}

/**
 * Offers the server of a company's service, which needs no program on this machine.
 * @returns undefined if the reader canceled, and no text if there is no such service, the client can't use it, or the
 * reader chose the program.
 */
async function httpConfiguration(
  { id }: McpClient,
  { site, fetch, clock }: CopyMcpPorts,
): Promise<{ readonly text: string | undefined } | undefined> {
  const { baseUrl, assistantDomain } = site.askSettings;
  const config = httpConfigs[id];
  if (!config || site.local || baseUrl === undefined || assistantDomain === undefined) {
    return { text: undefined };
  }
  const { signal } = new AbortController();
  if (!(await findCompanyService(baseUrl, { fetch, clock }, signal))) {
    return { text: undefined };
  }
  const url = `${baseUrl}${SERVICE_MCP}/${encodeURIComponent(assistantDomain)}`;
  const overHttp = { label: translate('Over HTTP'), detail: url };
  const program = {
    label: translate('Program on This Machine'),
    detail: translate('Uses the version, language and groups that this window asks for.'),
  };
  const picked = await vscode.window.showQuickPick([overHttp, program], {
    title: translate('Copy MCP Configuration'),
  });
  return picked && { text: picked === overHttp ? config(url, translate) : undefined };
}

async function pickClient(site: string): Promise<McpClient | undefined> {
  const items = mcpClients.map((client) => ({
    label: labelOf(client),
    detail: client.place(translate),
    client,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: translate('Copy MCP Configuration'),
    placeHolder: translate('Choose the client that asks {0}', site),
    matchOnDetail: true,
  });
  return picked?.client;
}

function labelOf({ id, label }: McpClient): string {
  return id === 'other' ? translate('Other Client') : label;
}
