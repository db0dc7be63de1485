import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { mcpClients } from '../../../../src/docsTools/mcp/clientConfigs';
import { isUnresolvedKey } from '../../../../src/docsTools/mcp/keyVariable';
import { httpConfigs } from '../../../../src/docsTools/mcp/httpConfigs';

const url = 'https://docs.example.com/mcp/payments';

function configOf(id: string): string {
  const config = httpConfigs[id];
  assert.ok(config, id);
  return config(url, plainTranslate);
}

describe('MCP configurations over HTTP', () => {
  it('have VS Code ask for the key', () => {
    assert.deepEqual(JSON.parse(configOf('vscode')), {
      inputs: [
        {
          type: 'promptString',
          id: 'docs-assistant-key',
          description: 'Assistant key of Docs Assistant',
          password: true,
        },
      ],
      servers: {
        docsAssistant: {
          type: 'http',
          url,
          headers: { Authorization: 'Bearer ${input:docs-assistant-key}' },
        },
      },
    });
  });

  for (const [id, name, reference] of [
    ['claudeCode', 'url', '${DOCS_ASSISTANT_KEY}'],
    ['cursor', 'url', '${env:DOCS_ASSISTANT_KEY}'],
    ['windsurf', 'serverUrl', '${env:DOCS_ASSISTANT_KEY}'],
    ['geminiCli', 'httpUrl', '$DOCS_ASSISTANT_KEY'],
    ['other', 'url', '<your assistant key>'],
  ] as const) {
    it(`refer to the key as ${id} does`, () => {
      const { mcpServers } = JSON.parse(configOf(id)) as {
        mcpServers: Record<string, Record<string, unknown>>;
      };
      const server = mcpServers['docs-assistant'];
      assert.equal(server?.[name], url);
      assert.deepEqual(server['headers'], { Authorization: `Bearer ${reference}` });
      assert.equal(isUnresolvedKey(reference), true);
    });
  }

  it('name the variable for Codex and opencode', () => {
    assert.equal(
      configOf('codex'),
      `[mcp_servers.docs-assistant]\nurl = "${url}"\nbearer_token_env_var = "DOCS_ASSISTANT_KEY"\n`,
    );
    const { mcp } = JSON.parse(configOf('openCode')) as { mcp: Record<string, unknown> };
    assert.deepEqual(mcp['docs-assistant'], {
      type: 'remote',
      url,
      enabled: true,
      headers: { Authorization: 'Bearer {env:DOCS_ASSISTANT_KEY}' },
    });
  });

  it('are for clients that the list has', () => {
    const known = new Set(mcpClients.map(({ id }) => id));
    assert.deepEqual(
      Object.keys(httpConfigs).filter((id) => !known.has(id)),
      [],
    );
  });
});
