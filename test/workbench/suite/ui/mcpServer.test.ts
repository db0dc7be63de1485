import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as vscode from 'vscode';
import { commands, languageModelTools, settings } from '../../../../src/common/contributions';
import { answerPrompt, extensionApi, quickInput, startAfresh, until } from '../../asking';
import { docsService, lastQuestion } from '../../docsService';
import { workbench } from '../../pageDriver';
import { suiteEnvironment } from '../../suiteEnvironment';

const SERVER = 'docs-assistant.docs-assistant/Docs Assistant';
const question = 'How do I verify the signature of a webhook?';

/**
 * Returns the names of the server's tools, as VS Code lists them once the server has reported them.
 */
function serverTools(): string[] {
  return vscode.lm.tools
    .map(({ name }) => name)
    .filter((name) => /^mcp_docs.*_(?:ask_docs|search_docs|read_docs_page)$/.test(name))
    .toSorted();
}

function toolNamed(name: string): string {
  return serverTools().find((full) => full.endsWith(name)) ?? assert.fail(`no tool ${name}`);
}

/** Starts the server as *MCP: List Servers* does, and waits for its tools. */
async function start(): Promise<void> {
  while (serverTools().length < 3) {
    await vscode.commands.executeCommand('workbench.mcp.startServer', SERVER);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function call(name: string, input: object): Promise<string> {
  const options = { toolInvocationToken: undefined, input };
  const { content } = await vscode.lm.invokeTool(toolNamed(name), options);
  return content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

async function configure(site?: { url: string; domain: string }): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const { Global } = vscode.ConfigurationTarget;
  await configuration.update(settings.baseUrl, site?.url, Global);
  await configuration.update(settings.domain, site?.domain, Global);
}

/** Waits for the list of clients and chooses one. */
async function copyFor(client: string): Promise<string> {
  await vscode.env.clipboard.writeText('');
  void vscode.commands.executeCommand(commands.copyMcpConfiguration);
  await workbench.waitFor('.quick-input-list .monaco-list-row', { nth: 0 });
  await answerPrompt(client);
  let copied = '';
  while (copied === '') copied = await vscode.env.clipboard.readText();
  await vscode.commands.executeCommand('notifications.clearAll');
  return copied;
}

describe('the MCP server of the window', () => {
  beforeEach(startAfresh);

  it('is started by VS Code, whose agents search and read with it', async () => {
    const { site } = suiteEnvironment();
    const { logged, mcpDefinitions } = await extensionApi();
    const definitions = mcpDefinitions();
    assert.equal(definitions.length, 1);
    assert.ok(!JSON.stringify(definitions).includes(site.key), 'VS Code stores definitions');

    await start();
    assert.equal(serverTools().length, 3);
    const found = await call('search_docs', { query: 'verify webhook signature' });
    assert.match(found, /v2\/en\/webhooks#verify-the-signature/);
    const read = await call('read_docs_page', { page: 'v2/en/webhooks#verify-the-signature' });
    assert.match(read, /Parcelwren-Signature/);
    const known = new Set<string>(Object.values(languageModelTools));
    assert.ok(
      vscode.lm.tools.some(({ name }) => known.has(name)),
      'both kinds are listed',
    );
    for (const text of [found, logged.join('\n')]) assert.ok(!text.includes(site.key));
  });

  // Shows faults.md M12.
  it('goes with the site of the window, and comes back with the next', async () => {
    const { site } = suiteEnvironment();
    const { mcpDefinitions, useSite } = await extensionApi();
    await start();
    useSite(undefined);
    assert.deepEqual(mcpDefinitions(), []);
    useSite({ ...site, label: 'Other Docs' });
    // VS Code takes a moment to stop the server, and starts it again with the next call.
    let found = '';
    while (!found.includes('Other Docs')) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      await start();
      found = await call('search_docs', { query: 'webhooks' }).catch(String);
    }
  });

  it('asks for a key that is missing when it starts', async () => {
    const { site } = suiteEnvironment();
    const { answerModals, useSite } = await extensionApi();
    await configure({ url: site.url.replace('127.0.0.1', 'localhost'), domain: site.domain });
    try {
      useSite(undefined);
      const state = { isAsked: false };
      const asking = workbench.waitFor(quickInput).then(() => (state.isAsked = true));
      // VS Code takes a moment to stop the server of the other site.
      while (!state.isAsked) {
        void vscode.commands.executeCommand('workbench.mcp.startServer', SERVER);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
      await asking;
      await answerPrompt(site.key);
      const before = (await docsService.exchanges()).length;
      const refused = await call('search_docs', { query: 'webhooks' }).catch(String);
      assert.match(refused, /hosted docs site/);
      assert.equal((await docsService.exchanges()).length, before);
    } finally {
      // Another test asks for the key of that origin.
      answerModals(() => true);
      await vscode.commands.executeCommand(commands.removeAssistantKey);
      await configure();
    }
  });
});

describe('Copy MCP Configuration…', () => {
  beforeEach(async () => {
    await startAfresh();
    const { site } = suiteEnvironment();
    await configure(site);
    (await extensionApi()).useSite(undefined);
  });
  afterEach(() => configure());

  it('copies what another client needs, without the key', async () => {
    const { site } = suiteEnvironment();
    const copied = await copyFor('Claude Code');
    assert.ok(!copied.includes(site.key));
    const { mcpServers } = JSON.parse(copied) as {
      mcpServers: Record<string, { command: string; args: string[]; env: Record<string, string> }>;
    };
    const server = mcpServers['docs-assistant'];
    assert.ok(server);
    assert.equal(server.env['DOCS_ASSISTANT_KEY'], '${DOCS_ASSISTANT_KEY}');

    // A client starts it with the key of its environment, and asks.
    const child = spawn(server.command, server.args, {
      env: { ...process.env, ...server.env, DOCS_ASSISTANT_KEY: site.key },
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const send = (message: object): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'suite', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    send({ id: 1, method: 'initialize', params });
    send({ method: 'notifications/initialized' });
    const asked = { name: 'ask_docs', arguments: { question } };
    send({ id: 2, method: 'tools/call', params: asked });
    await until(() => output.includes('"id":2'));
    assert.match(output, /Parcelwren-Signature/);
    const { exchange } = await lastQuestion();
    assert.equal(exchange.headers['authorization'], `Bearer ${site.key}`);
    const exit = once(child, 'exit');
    child.stdin.end();
    assert.deepEqual(await exit, [0, null]);
  });

  it('lets VS Code ask for the key', async () => {
    const copied = await copyFor('VS Code');
    const { inputs, servers } = JSON.parse(copied) as {
      inputs: { id: string; password: boolean }[];
      servers: Record<string, { env: Record<string, string> }>;
    };
    assert.equal(inputs[0]?.password, true);
    const { env } = servers['docsAssistant'] ?? assert.fail();
    assert.equal(env['DOCS_ASSISTANT_KEY'], `\${input:${inputs[0].id}}`);
  });
});
