import assert from 'node:assert/strict';
import { parse as parseJsonc } from 'jsonc-parser';
import { mcpClients, type ServerCommand } from '../../../../src/docsTools/mcp/clientConfigs';
import { isUnresolvedKey, KEY_PLACEHOLDER } from '../../../../src/docsTools/mcp/keyVariable';
import { plainTranslate } from '../../../../src/common/errors';

const hosted: ServerCommand = {
  command: '/usr/bin/node',
  args: ['/data/docs-assistant.mjs', 'mcp', '--site', 'acme', '--base-url', 'https://api.example'],
  env: {},
  needsKey: true,
};
const local: ServerCommand = {
  command: 'C:\\Program Files\\Code\\Code.exe',
  args: ['C:\\Users\\Ada "A" L\\docs-assistant.mjs', 'mcp', '--docs', 'C:\\Häuser & Höfe'],
  env: { ELECTRON_RUN_AS_NODE: '1' },
  needsKey: false,
};

/** Returns the configuration of a client as text. */
function configOf(id: string, server: ServerCommand): string {
  const client = mcpClients.find((one) => one.id === id);
  assert.ok(client, id);
  return client.config(server, plainTranslate);
}

const jsonOf = (id: string, server: ServerCommand): unknown => JSON.parse(configOf(id, server));

describe('MCP configurations of other clients', () => {
  it('have VS Code ask for the key (mcp.json: servers, inputs)', () => {
    assert.deepEqual(jsonOf('vscode', hosted), {
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
          type: 'stdio',
          command: hosted.command,
          args: hosted.args,
          env: { DOCS_ASSISTANT_KEY: '${input:docs-assistant-key}' },
        },
      },
    });
    assert.deepEqual(jsonOf('vscode', local), {
      servers: {
        docsAssistant: {
          type: 'stdio',
          command: local.command,
          args: local.args,
          env: { ELECTRON_RUN_AS_NODE: '1' },
        },
      },
    });
  });

  for (const [id, reference] of [
    ['claudeCode', '${DOCS_ASSISTANT_KEY}'],
    ['claudeDesktop', '<your assistant key>'],
    ['cursor', '${env:DOCS_ASSISTANT_KEY}'],
    ['windsurf', '${env:DOCS_ASSISTANT_KEY}'],
    ['geminiCli', '$DOCS_ASSISTANT_KEY'],
    ['jetBrains', '<your assistant key>'],
    ['other', '<your assistant key>'],
  ] as const) {
    it(`give ${id} the key as ${reference} (mcpServers)`, () => {
      assert.deepEqual(jsonOf(id, hosted), {
        mcpServers: {
          'docs-assistant': {
            command: hosted.command,
            args: hosted.args,
            env: { DOCS_ASSISTANT_KEY: reference },
          },
        },
      });
    });
  }

  it('leave the environment out where it would be empty', () => {
    const { command, args } = local;
    const bare = { ...local, env: {} };
    assert.deepEqual(jsonOf('cursor', bare), {
      mcpServers: { 'docs-assistant': { command, args } },
    });
  });

  it('let Zed pass its own environment on (context_servers)', () => {
    assert.deepEqual(jsonOf('zed', hosted), {
      context_servers: {
        'docs-assistant': { command: hosted.command, args: hosted.args, env: {} },
      },
    });
  });

  it('name the variable that Codex passes on (config.toml)', () => {
    assert.equal(
      configOf('codex', hosted),
      [
        '[mcp_servers.docs-assistant]',
        'command = "/usr/bin/node"',
        'args = ["/data/docs-assistant.mjs", "mcp", "--site", "acme", "--base-url", "https://api.example"]',
        'env_vars = ["DOCS_ASSISTANT_KEY"]',
        '',
      ].join('\n'),
    );
  });

  it('escape paths for TOML', () => {
    const odd = { ...local, args: ['a\u007fb', 'tab\tquote"', 'C:\\x'] };
    assert.equal(
      configOf('codex', odd),
      [
        '[mcp_servers.docs-assistant]',
        'command = "C:\\\\Program Files\\\\Code\\\\Code.exe"',
        'args = ["a\\u007fb", "tab\\tquote\\"", "C:\\\\x"]',
        'env = { ELECTRON_RUN_AS_NODE = "1" }',
        '',
      ].join('\n'),
    );
  });

  it('give opencode one array and a reference of its own (mcp)', () => {
    assert.deepEqual(jsonOf('openCode', hosted), {
      mcp: {
        'docs-assistant': {
          type: 'local',
          command: [hosted.command, ...hosted.args],
          enabled: true,
          environment: { DOCS_ASSISTANT_KEY: '{env:DOCS_ASSISTANT_KEY}' },
        },
      },
    });
  });

  it('are what their language says, and say where they go', () => {
    const ids = mcpClients.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    for (const client of mcpClients) {
      for (const server of [hosted, local]) {
        const text = client.config(server, plainTranslate);
        if (client.language !== 'toml') assert.deepEqual(parseJsonc(text), JSON.parse(text));
        assert.ok(text.endsWith('\n'));
      }
      assert.match(client.place(plainTranslate), /^Paste it .*\.$/);
      assert.match(client.key(plainTranslate), /\.$/);
    }
  });
});

describe('isUnresolvedKey', () => {
  it('recognizes the references and the placeholder that the configurations have', () => {
    for (const key of [
      '${DOCS_ASSISTANT_KEY}',
      '${env:DOCS_ASSISTANT_KEY}',
      '${input:docs-assistant-key}',
      '$DOCS_ASSISTANT_KEY',
      '{env:DOCS_ASSISTANT_KEY}',
      KEY_PLACEHOLDER,
    ]) {
      assert.equal(isUnresolvedKey(key), true, key);
    }
    for (const key of ['acme_dsc_0123456789abcdef', '', 'a$b', '$', 'x${A}']) {
      assert.equal(isUnresolvedKey(key), false, key);
    }
  });
});
