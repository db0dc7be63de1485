/** The message endpoint of the hosted platform as platform-api.md has it, with the chat SDK's own stream. */
import { createUIMessageStream, createUIMessageStreamResponse } from 'ai';
import * as v from 'valibot';

const text = v.string();
const optional = { text: v.nullish(text), object: v.nullish(v.record(text, v.unknown())) };

const partSchema = v.variant('type', [
  v.object({ type: v.literal('text'), text }),
  v.object({ type: v.literal('reasoning'), text, providerMetadata: optional.object }),
  v.object({ type: v.literal('source-url'), sourceId: text, url: text, title: optional.text }),
  v.object({ type: v.literal('file'), mediaType: text, url: text, filename: optional.text }),
  v.object({ type: v.literal('step-start') }),
]);

const bodySchema = v.object({
  fp: text,
  messages: v.array(
    v.object({
      id: text,
      role: v.picklist(['system', 'assistant', 'user']),
      createdAt: optional.text,
      parts: v.array(partSchema),
      metadata: optional.object,
    }),
  ),
  threadId: optional.text,
  retrievalPageSize: v.nullish(v.number()),
  filter: v.nullish(
    v.object({ version: optional.text, language: optional.text, groups: v.nullish(v.array(text)) }),
  ),
  context: v.nullish(
    v.array(
      v.object({
        type: v.picklist(['code', 'textSelection']),
        value: text,
        path: optional.text,
        elementId: optional.text,
      }),
    ),
  ),
  currentPath: v.nullish(v.pipe(text, v.maxLength(200))),
});

const refused = (status: number, error: string, headers: Record<string, string> = {}): Response =>
  Response.json({ error }, { status, headers });

/** Has one site, answers each question with the same words, and remembers its threads. */
export class FakeAssistantApi {
  readonly #site: { readonly domain: string; readonly key: string };
  readonly #threads = new Set<string>();

  constructor(site: { readonly domain: string; readonly key: string }) {
    this.#site = site;
  }

  async fetch(url: string, init: RequestInit): Promise<Response> {
    const request = new Request(url, init);
    const { domain } = /^\/v2\/assistant\/(?<domain>[^/]+)\/message$/.exec(new URL(url).pathname)
      ?.groups ?? { domain: undefined };
    if (domain === undefined) return refused(404, 'There is no such endpoint.');
    if (request.method !== 'POST') return refused(405, 'Use POST.', { allow: 'POST' });
    if (request.headers.get('authorization') !== `Bearer ${this.#site.key}`)
      return refused(401, 'The key is not one of this site.');
    if (!request.headers.get('content-type')?.startsWith('application/json'))
      return refused(415, 'Send JSON.');
    if (domain !== this.#site.domain) return refused(404, 'There is no such site.');
    const written: unknown = await request.json().catch(() => undefined);
    const body = v.safeParse(bodySchema, written);
    if (!body.success) return refused(400, 'The body is not as documented.');
    const { threadId } = body.output;
    if (typeof threadId === 'string' && !this.#threads.has(threadId))
      return refused(404, 'There is no such thread.');
    return this.#reply(threadId ?? `thread ${this.#threads.size + 1}`);
  }

  #reply(threadId: string): Response {
    this.#threads.add(threadId);
    const stream = createUIMessageStream({
      execute: ({ writer }) => {
        writer.write({ type: 'start' });
        writer.write({
          type: 'source-url',
          sourceId: '1',
          url: 'https://docs.example.com/webhooks',
        });
        writer.write({ type: 'text-start', id: '1' });
        writer.write({ type: 'text-delta', id: '1', delta: 'Verify the signature.' });
        writer.write({ type: 'text-end', id: '1' });
        // The document adds the thread to the SDK's event.
        const finish = { type: 'finish', threadId } as const;
        writer.write(finish);
      },
    });
    return createUIMessageStreamResponse({ stream });
  }
}
