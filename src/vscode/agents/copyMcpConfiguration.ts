/** *Copy MCP Configuration…*, loaded on first use. */
import * as vscode from 'vscode';
import { commands } from '../../common/contributions';
import { type McpClient, mcpClients } from '../../docsTools/mcp/clientConfigs';
import { docsArguments } from '../../docsTools/mcp/docsArguments';
import type { ActiveSite } from '../../site/activeSite';
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
  const program = await serverCommand(context);
  const server = {
    ...program,
    args: [...program.args, ...docs.args],
    needsKey: docs.needsKey,
  };
  const configuration = client.config(server, translate);
  await vscode.env.clipboard.writeText(configuration);
  const { remoteName } = vscode.env;
  const sentences = [
    translate('Copied the MCP configuration for {0}.', labelOf(client)),
    client.place(translate),
    ...(docs.needsKey ? [client.key(translate)] : []),
    ...(remoteName === undefined
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
