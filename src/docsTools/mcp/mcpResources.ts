/** Pages of the docs on this machine as resources of MCP. Hosted sites have none. */
import {
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { untilAborted } from '../../common/clock';
import { DocsAssistantError } from '../../common/errors';
import { encodePath } from '../../common/http/encodePath';
import { MAX_PAGE_ADDRESS_LENGTH } from '../../common/localDocsApi';
import { plainLine } from '../../shared/characters';
import { type LocalDocsClientPorts, localOf, searchableDocs } from '../localDocs';
import { PAGE_URI_PREFIX } from '../readPageTool';
import { textCleaner } from '../resultText';
import type { DocsTarget } from '../toolCall';
import { noSearchableDocs, toolError, type ToolCaller } from '../toolErrors';

const MIME_TYPE = 'text/markdown';

export interface ResourcePorts extends LocalDocsClientPorts {
  readonly target: () => Promise<DocsTarget | undefined>;
  readonly caller: ToolCaller;
}

export const resourceTemplates: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      name: 'docs-page',
      title: 'Docs page',
      uriTemplate: `${PAGE_URI_PREFIX}{+path}`,
      description:
        'A page of the docs as Markdown. The path is that of search_docs and read_docs_page.',
      mimeType: MIME_TYPE,
    },
  ],
};

/**
 * Returns a part of the pages. Docs that can't be listed have none.
 * @param cursor that of the part before. Absent at the start.
 * @throws {ProtocolError} for a cursor that isn't one, and if the docs can't be reached.
 */
export async function listResources(
  cursor: string | undefined,
  signal: AbortSignal,
  ports: ResourcePorts,
): Promise<ListResourcesResult> {
  const after = cursor === undefined ? undefined : pathOfCursor(cursor);
  return worded(ports, signal, async (target) => {
    const local = await localOf(target, signal);
    if (!local) return { resources: [] };
    const clean = textCleaner(target);
    const { pages, hasMore } = await searchableDocs(ports, local).pages({ after }, signal);
    const last = pages.at(-1);
    return {
      resources: pages.map(({ title, path, description, version, language }) => {
        const facts = [description, version, language].filter((fact) => fact !== undefined);
        return {
          uri: uriOf(path),
          name: clean(path),
          title: plainLine(clean(title)),
          description: facts.length === 0 ? undefined : plainLine(clean(facts.join(' · '))),
          mimeType: MIME_TYPE,
        };
      }),
      nextCursor: hasMore && last ? cursorOf(last.path) : undefined,
    };
  });
}

/**
 * Returns a page as a whole.
 * @throws {ProtocolError} if there is no such page, or the docs can't be reached.
 */
export async function readResource(
  uri: string,
  signal: AbortSignal,
  ports: ResourcePorts,
): Promise<ReadResourceResult> {
  const page = pathOfUri(uri);
  if (page === undefined) throw new ResourceNotFoundError(uri.slice(0, MAX_PAGE_ADDRESS_LENGTH));
  return worded(ports, signal, async (target) => {
    const local = await localOf(target, signal);
    if (!local) throw noSearchableDocs(target.label, ports.caller);
    const found = await searchableDocs(ports, local).page({ page }, signal);
    if ('error' in found) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: MIME_TYPE, text: textCleaner(target)(found.markdown) }] };
  });
}

/** Runs a request for the docs that are set up, with its errors as those of the protocol. */
async function worded<Result>(
  { target: openTarget, caller, clock, log }: ResourcePorts,
  signal: AbortSignal,
  request: (target: DocsTarget) => Promise<Result>,
): Promise<Result> {
  try {
    const target = await untilAborted(openTarget(), signal);
    if (!target) throw new DocsAssistantError('not-configured');
    return await request(target);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProtocolError) throw error;
    const { code, message } = toolError(error, caller, clock.now());
    log.warn(`A request for docs pages failed: ${code}`);
    throw new ProtocolError(ProtocolErrorCode.InternalError, message);
  }
}

/** Returns the address of a page, with each part of its path encoded. */
function uriOf(path: string): string {
  return PAGE_URI_PREFIX + encodePath(path);
}

/**
 * Returns the path of an address as it is encoded, which the service decodes after it has looked for a
 * fragment. Returns undefined for an address of something else.
 */
function pathOfUri(uri: string): string | undefined {
  if (!uri.startsWith(PAGE_URI_PREFIX) || uri.length > MAX_PAGE_ADDRESS_LENGTH) return undefined;
  const path = uri.slice(PAGE_URI_PREFIX.length);
  try {
    decodeURIComponent(path);
  } catch {
    return undefined;
  }
  return path === '' ? undefined : path;
}

function cursorOf(path: string): string {
  return Buffer.from(path).toString('base64url');
}

/** @throws {ProtocolError} for text that {@link cursorOf} didn't make. */
function pathOfCursor(cursor: string): string {
  const path = Buffer.from(cursor, 'base64url').toString();
  if (path !== '' && path.length <= MAX_PAGE_ADDRESS_LENGTH && cursorOf(path) === cursor) {
    return path;
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is not valid.');
}
