/** MCP over HTTP, stateless: each request is served by a server of its own, so any process can answer it. */
import { randomUUID } from 'node:crypto';
import { createMcpHandler, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import type { Clock, Log } from '../../common/ports';
import { createDocsTools, type DocsTarget } from '../../docsTools/docsTools';
import { createMcpServer } from '../../docsTools/mcp/mcpServer';
import { parameterRefusal } from '../../docsTools/mcp/messageLines';
import { siteText } from '../../docsTools/resultText';
import type { AskedSite } from '../server/apiRoutes';
import { jsonBody } from '../server/requestChecks';
import type { AskedEngine } from '../server/servedEngine';

interface McpPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
}

/** Longest wait for a part of a reply. No request leaves this process, so it never ends one. */
const TIMEOUT_MS = 60_000;

interface McpSite extends Pick<AskedSite, 'engine' | 'onAnswered'> {
  /** Name for people. */
  readonly name: string;
}

/** Answers a request of an MCP client with the docs tools over one site. */
export async function answerMcp(
  c: Context,
  { name, engine, onAnswered }: McpSite,
  { clock, log, version }: McpPorts,
): Promise<Response> {
  const ports = {
    clock,
    log,
    fetch: () => Promise.reject(new Error('The docs tools of the service send no requests.')),
    target: () => Promise.resolve(targetOf(name, engine)),
    caller: 'service' as const,
    onAnswered,
  };
  const tools = createDocsTools({ ...ports, newId: randomUUID });
  const handler = createMcpHandler(
    () =>
      createMcpServer({
        ...ports,
        tools,
        version,
        spendsCredit: false,
        serviceSite: siteText(name),
        onDidAnnounce: () => ({ dispose: () => undefined }),
      }),
    // Messages of clients can hold anything, and the sentences of the SDK repeat parts of them.
    { onerror: (error) => log.warn(`Problem with a request of MCP: ${error.name}`) },
  );
  if (c.req.method !== 'POST') return handler.fetch(c.req.raw);
  const read = await jsonBody(c);
  if ('error' in read) {
    const error = { code: ProtocolErrorCode.ParseError, message: read.error };
    return c.json({ jsonrpc: '2.0', id: null, error }, 400);
  }
  if (Array.isArray(read.body)) {
    const message = 'Batches are not supported. Send each message in a request of its own.';
    const error = { code: ProtocolErrorCode.InvalidRequest, message };
    return c.json({ jsonrpc: '2.0', id: null, error }, 400);
  }
  const refusal = parameterRefusal(read.body);
  if (refusal) {
    const { id, ...error } = refusal;
    return c.json({ jsonrpc: '2.0', id, error });
  }
  return handler.fetch(c.req.raw, { parsedBody: read.body });
}

function targetOf(label: string, engine: AskedEngine): DocsTarget {
  return {
    settings: {
      baseUrl: undefined,
      assistantDomain: undefined,
      fp: 'anonymous',
      retrievalPageSize: 5,
      filter: {},
      idleTimeoutMs: TIMEOUT_MS,
      headersTimeoutMs: TIMEOUT_MS,
    },
    label,
    key: undefined,
    spendsCredit: false,
    local: { engine, hasWriter: false },
  };
}
