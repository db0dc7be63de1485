/**
 * Measures how much of a model's queries reaches the reply: the local docs service over HTTP, with a
 * scripted model in the place of a real one. An oracle's queries are the title and heading that
 * answer, and nonsense is about nothing in the docs.
 */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { silentLog } from '../../src/common/ports';
import { ReplyWriter } from '../../src/docs/writers/replyWriter';
import { type LocalService, startLocalService } from '../../src/service/server/server';
import { libraryOf } from './retrievalEval';

export type ScriptedModel = 'oracle' | 'nonsense' | 'quotes';

const questionsSchema = v.object({
  answerable: v.array(
    v.object({ q: v.string(), accept: v.array(v.string()), section: v.optional(v.string()) }),
  ),
});
type Question = v.InferOutput<typeof questionsSchema>['answerable'][number];

/** Answers to a request for queries, of a model that answers nonsense. */
const nonsense: readonly string[] = [
  'Sure! I would be happy to help.',
  '{"queries": ["purple elephants juggling", "moonlit sonata gardening", "zebra quantum"]}',
  '{"queries": "all of it"}',
  '<think>The question is',
];

export interface ModelFigures {
  readonly answerable: number;
  readonly first: number;
  readonly inFive: number;
  /** Questions without an accepted page among their first five, for a reader of the misses. */
  readonly missed: readonly string[];
}

/** Asks every answerable question of a set, with a scripted model. */
export async function askWithModel(
  docs: string,
  questions: string,
  model: ScriptedModel,
): Promise<ModelFigures> {
  const set = v.parse(questionsSchema, JSON.parse(await readFile(questions, 'utf8'))).answerable;
  const titles = model === 'oracle' ? await titlesOf(docs) : new Map<string, string>();
  const script = (prompt: string): string => {
    const place = set.findIndex(({ q }) => prompt.includes(`\n${q}\n`));
    const question = set[place];
    if (!question || !prompt.includes('You prepare the search')) return 'So it is [1].';
    if (model === 'nonsense') return nonsense[place % nonsense.length] ?? '';
    return JSON.stringify({ queries: oracleQueries(question, titles) });
  };
  const writer = new ReplyWriter({
    fetch: (_url, { body }) => Promise.resolve(completion(script(promptOf(body)))),
    log: silentLog,
  });
  if (model !== 'quotes') {
    writer.answerWith({
      kind: 'endpoint',
      baseUrl: 'http://127.0.0.1:1/v1',
      model,
      maxInputTokens: 12_000,
    });
  }
  const key = 'local_dsc_eval0123456789';
  const service = await startLocalService({
    docs,
    domain: 'eval',
    key,
    paceMs: 0,
    writer,
    log: silentLog,
  });
  try {
    await service.whenIndexed();
    const found: (readonly string[])[] = [];
    for (const { q } of set) found.push(await pagesOf(service, q));
    const has = ({ accept }: Question, pages: readonly string[]): boolean =>
      accept.some((page) => pages.includes(routeOf(page)));
    return {
      answerable: set.length,
      first: set.filter((question, place) => has(question, found[place]?.slice(0, 1) ?? [])).length,
      inFive: set.filter((question, place) => has(question, found[place]?.slice(0, 5) ?? []))
        .length,
      missed: set.flatMap((question, place) =>
        has(question, found[place]?.slice(0, 5) ?? []) ? [] : [question.q],
      ),
    };
  } finally {
    await service.stop();
  }
}

async function titlesOf(docs: string): Promise<Map<string, string>> {
  const library = await libraryOf(docs);
  const titles = new Map([...library.index.pages()].map(({ path, title }) => [path, title]));
  await library.stop();
  return titles;
}

/** Returns the accepted page's title with the heading of its section, and each of them alone. */
function oracleQueries(
  { accept, section }: Question,
  titles: ReadonlyMap<string, string>,
): string[] {
  const title = accept.flatMap((page) => titles.get(page) ?? [])[0] ?? '';
  const heading = (section ?? '').replaceAll('`', '');
  return [`${title} ${heading}`, title].map((query) => query.trim().slice(0, 160));
}

const sourceSchema = v.object({ type: v.literal('source-url'), url: v.string() });

/** Asks a question, and returns the pages of its sources in their order. */
async function pagesOf({ url, domain, key }: LocalService, question: string): Promise<string[]> {
  const response = await fetch(`${url}/v2/assistant/${domain}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      fp: 'anonymous',
      messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text: question }] }],
    }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${body}`);
  return body.split('\n').flatMap((line) => {
    if (!line.startsWith('data: {')) return [];
    const source = v.safeParse(sourceSchema, JSON.parse(line.slice('data: '.length)));
    return source.success ? [routeOf(new URL(source.output.url).pathname)] : [];
  });
}

/** Returns a page's address in a form that files and URLs share. */
function routeOf(page: string): string {
  return decodeURIComponent(page)
    .replace(/^\/(?:docs\/)?/, '')
    .replace(/\.(?:mdx?|markdown|html?)$/, '')
    .replace(/(?:^|\/)(?:index|readme)$/i, '')
    .toLowerCase();
}

function promptOf(body: unknown): string {
  const { messages } = v.parse(
    v.object({ messages: v.array(v.object({ content: v.unknown() })) }),
    JSON.parse(String(body)),
  );
  return messages
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n');
}

/** Returns a text as the stream of a chat completion. */
function completion(text: string): Response {
  const choices = [{ index: 0, delta: { content: text }, finish_reason: 'stop' }];
  return new Response(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
}
