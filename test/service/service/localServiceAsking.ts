/** Asks the local docs service over HTTP and reads its reply chunk by chunk. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {
  startLocalService,
  type LocalService,
  type LocalServiceOptions,
} from '../../../src/service/server/server';

export const serviceKey = 'local_dsc_test_0123456789';
export const serviceDomain = 'sample';

/** One chunk of a reply, as it stood on the wire. */
export type WireChunk = Readonly<Record<string, unknown>> & { readonly type: string };

export interface Reply {
  readonly response: Response;
  readonly chunks: readonly WireChunk[];
  /** Whether the stream ended with `data: [DONE]`. */
  readonly isDone: boolean;
  readonly text: string;
  readonly reasoning: string;
  readonly sources: readonly { readonly url: string; readonly title: string }[];
  readonly threadId: string;
}

const WRITES_AT_ONCE = 100;

/**
 * Makes a folder with these files, which `remove` deletes. Paths are relative, with forward
 * slashes.
 */
export async function docsFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<{
  readonly root: string;
  write(path: string, content: string): Promise<void>;
  remove(): Promise<void>;
}> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'docs-assistant-test-'));
  const write = async (file: string, content: string | Uint8Array): Promise<void> => {
    const target = path.join(root, file);
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, content);
  };
  const entries = Object.entries(files);
  for (let start = 0; start < entries.length; start += WRITES_AT_ONCE) {
    const batch = entries.slice(start, start + WRITES_AT_ONCE);
    await Promise.all(batch.map(([file, content]) => write(file, content)));
  }
  return { root, write, remove: () => rm(root, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Starts the service over a folder, without pauses in its replies. */
export function startService(
  docs: string,
  options: Partial<LocalServiceOptions> = {},
): Promise<LocalService> {
  return startLocalService({ docs, domain: serviceDomain, key: serviceKey, paceMs: 0, ...options });
}

export function messageUrl(service: Pick<LocalService, 'url'>, domain = serviceDomain): string {
  return `${service.url}/v2/assistant/${domain}/message`;
}

export function userMessage(text: string, id = 'm1'): object {
  return { id, role: 'user', parts: [{ type: 'text', text }] };
}

/** Posts a body as the client does; `init` changes headers, method or the signal. */
export function post(
  service: Pick<LocalService, 'url'>,
  body: unknown,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(messageUrl(service), {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
    headers: {
      authorization: `Bearer ${serviceKey}`,
      'content-type': 'application/json',
      ...(init.headers as Record<string, string> | undefined),
    },
  });
}

/** Asks one question and reads the whole reply. @throws for any status but 200. */
export async function ask(
  service: Pick<LocalService, 'url'>,
  text: string,
  fields: object = {},
  key = serviceKey,
): Promise<Reply> {
  const response = await post(
    service,
    { fp: 'anonymous', messages: [userMessage(text)], ...fields },
    { headers: { authorization: `Bearer ${key}` } },
  );
  return readReply(response);
}

/** Reads a streamed reply. @throws for any status but 200. */
export async function readReply(response: Response): Promise<Reply> {
  const body = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${body}`);
  const events = body.split('\n\n').filter((event) => event !== '');
  const chunks = events
    .map((event) => event.replace(/^data: /, ''))
    .filter((event) => event !== '[DONE]')
    // The wire is what these tests are about: what they read of a chunk, they check.
    .map((event) => JSON.parse(event) as WireChunk);
  const joined = (type: string): string =>
    chunks
      .filter((chunk) => chunk.type === type)
      .map(({ delta }) => String(delta))
      .join('');
  const threadId = chunks.find((chunk) => chunk.type === 'finish')?.['threadId'];
  return {
    response,
    chunks,
    isDone: events.at(-1) === 'data: [DONE]',
    text: joined('text-delta'),
    reasoning: joined('reasoning-delta'),
    sources: chunks
      .filter((chunk) => chunk.type === 'source-url')
      .map(({ url, title }) => ({ url: String(url), title: String(title) })),
    threadId: typeof threadId === 'string' ? threadId : '',
  };
}

/** Resolves once `condition` holds; the test's own time limit ends a wait in vain. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}
