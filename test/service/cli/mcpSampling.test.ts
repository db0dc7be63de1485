import assert from 'node:assert/strict';
import type { AskToolResult } from '../../../src/docsTools/toolDefinitions';
import { sampleDocs } from '../service/sampleService';
import { connectClient } from './mcpProcess';

const request = {
  name: 'ask_docs',
  arguments: { question: 'How often is a failed webhook delivery retried?' },
};

describe('ask_docs over MCP, with a client that offers its model', () => {
  it('returns what the client’s model writes from the sections', async () => {
    const { client } = await connectClient(
      { args: ['--docs', sampleDocs] },
      { capabilities: { sampling: {} } },
    );
    const prompts: string[] = [];
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      prompts.push(JSON.stringify(params));
      return {
        model: 'test',
        role: 'assistant' as const,
        content: { type: 'text' as const, text: 'Up to 7 times [1].' },
        stopReason: 'endTurn',
      };
    });
    try {
      const result = await client.callTool(request);
      const { answer, sources } = result.structuredContent as AskToolResult;
      assert.equal(answer, 'Up to 7 times [1].');
      assert.ok(sources.some(({ url }) => url.endsWith('webhooks.mdx#retries')));
      assert.equal(prompts.length, 1);
      assert.match(prompts[0] ?? '', /7 times/);
    } finally {
      await client.close();
    }
  });

  it('returns the sections if the client’s user declines', async () => {
    const { client } = await connectClient(
      { args: ['--docs', sampleDocs] },
      { capabilities: { sampling: {} } },
    );
    client.setRequestHandler('sampling/createMessage', () => {
      throw new Error('User rejected sampling request');
    });
    try {
      const { answer, isSections } = (await client.callTool(request))
        .structuredContent as AskToolResult;
      assert.equal(isSections, true);
      assert.match(answer, /7 times/);
    } finally {
      await client.close();
    }
  });
});
