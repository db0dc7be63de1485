/** The docs tools as tools of MCP: their definitions, and calls with their results and errors. */
import {
  type CallToolRequest,
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import { cutText } from '../../common/text/strings';
import type { Event } from '../../common/event';
import type { Clock } from '../../common/ports';
import type { DocsTools } from '../docsTools';
import type { ToolCall } from '../toolCall';
import { SPENDS_CREDIT, type ToolDefinition, toolDefinitions } from '../toolDefinitions';
import { toolError, type ToolCaller } from '../toolErrors';

/** Longest part of an unknown name that an error repeats. */
const MAX_NAME_LENGTH = 100;

/** Ports of {@link callTool}. */
export interface ToolCallPorts {
  readonly tools: Pick<DocsTools, ToolDefinition['method']>;
  readonly caller: ToolCaller;
  readonly clock: Clock;
  /** Registers a listener for sentences about the docs, such as that a site is being fetched. */
  readonly onDidAnnounce: Event<string>;
}

/**
 * Returns the tools as `tools/list` gives them.
 * @param spendsCredit whether a question spends a credit of the user's organization.
 */
export function mcpTools(spendsCredit: boolean): Tool[] {
  return toolDefinitions.map(
    ({ name, title, modelDescription, inputSchema, outputSchema, method }): Tool => ({
      name,
      title,
      description: spendsCredit ? modelDescription : modelDescription.replace(SPENDS_CREDIT, 'Ask'),
      inputSchema: mutable(inputSchema),
      outputSchema: mutable(outputSchema),
      annotations: {
        title,
        // Clients run tools that only read without asking. Their users decide about credits.
        readOnlyHint: method !== 'ask' || !spendsCredit,
        destructiveHint: false,
        idempotentHint: method !== 'ask',
        // Search and pages stay on this machine. A question can go to a hosted site.
        openWorldHint: method === 'ask',
      },
    }),
  );
}

/**
 * Calls a tool. Its failures are results that a model reads.
 * @throws {ProtocolError} for a tool that doesn't exist, and the signal's reason when canceled.
 */
export async function callTool(
  { params }: CallToolRequest,
  { mcpReq }: Pick<ServerContext, 'mcpReq'>,
  { tools, caller, clock, onDidAnnounce }: ToolCallPorts,
): Promise<CallToolResult> {
  const definition = toolDefinitions.find(({ name }) => name === params.name);
  if (!definition) {
    const name = cutText(params.name, MAX_NAME_LENGTH);
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  }
  const onProgress = progressReporter(mcpReq);
  const listening = onProgress && onDidAnnounce(onProgress);
  try {
    const { text, data } = await tools[definition.method](params.arguments ?? {}, {
      signal: mcpReq.signal,
      onProgress,
      write: sampler(mcpReq),
    });
    return { content: [{ type: 'text', text }], structuredContent: { ...data } };
  } catch (error) {
    mcpReq.signal.throwIfAborted();
    const { message } = toolError(error, caller, clock.now());
    return { content: [{ type: 'text', text: message }], isError: true };
  } finally {
    listening?.dispose();
  }
}

/** Most tokens of a text that the client's model writes. */
const MAX_SAMPLED_TOKENS = 2000;
/** Longest wait for the client's model. Its user may have to allow the request first. */
const SAMPLING_TIMEOUT_MS = 5 * 60_000;

/**
 * Returns a function that lets the client's model write a text. It rejects without a request if the client
 * doesn't offer its model, because the server enforces capabilities.
 */
function sampler({ send }: ServerContext['mcpReq']): NonNullable<ToolCall['write']> {
  return async ({ instructions, text }, signal) => {
    const { content, stopReason } = await send(
      {
        method: 'sampling/createMessage',
        params: {
          systemPrompt: instructions,
          messages: [{ role: 'user', content: { type: 'text', text } }],
          maxTokens: MAX_SAMPLED_TOKENS,
          includeContext: 'none',
        },
      },
      { signal, timeout: SAMPLING_TIMEOUT_MS },
    );
    const parts = Array.isArray(content) ? content : [content];
    return {
      text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n'),
      isWhole: stopReason !== 'maxTokens',
    };
  };
}

/** Returns a function that reports progress, or undefined if the client asked for none. */
function progressReporter({
  _meta,
  notify,
  signal,
}: ServerContext['mcpReq']): ((sentence: string) => void) | undefined {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let progress = 0;
  return (message) => {
    if (signal.aborted) return;
    progress += 1;
    const params = { progressToken, progress, message };
    // The client has gone if this fails, which the transport tells.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

/** Returns a schema of the table as the SDK's types want it. */
function mutable({
  type,
  properties,
  required,
}: ToolDefinition['inputSchema']): Tool['inputSchema'] {
  return {
    type,
    properties: properties as NonNullable<Tool['inputSchema']['properties']>,
    required: required ? [...required] : undefined,
  };
}
