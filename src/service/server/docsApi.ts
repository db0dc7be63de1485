/**
 * Answers programs that search, list and read the docs. src/common/localDocsApi.ts defines this API, which
 * platform-api.md doesn't have.
 */
import type { Context } from 'hono';
import * as v from 'valibot';
import {
  claimsRequestSchema,
  listRequestSchema,
  type LocalDocsRoute,
  packageRequestSchema,
  pageRequestSchema,
  placeRequestSchema,
  proofRequestSchema,
  searchRequestSchema,
  type ShownPackages,
} from '../../common/localDocsApi';
import { describeIssue } from '../../common/schemaIssues';
import type { ReplyWriter } from '../../docs/writers/replyWriter';
import { writerSchema } from '../../docs/writers/writer';
import { jsonBody } from './requestChecks';
import type { AskedEngine } from './servedEngine';

/** Answers a request. The app has already checked the key, the site and the size of the request. */
type Answer = (c: Context, docs: AskedEngine, signal: AbortSignal) => Promise<Response>;

/** Answers of the routes that read the docs. */
export const docsAnswers: Readonly<Record<Exclude<LocalDocsRoute, 'writer'>, Answer>> = {
  search: answerTo(searchRequestSchema, (docs, request, signal) => docs.search(request, signal)),
  page: answerTo(
    pageRequestSchema,
    (docs, request, signal) => docs.page(request, signal),
    (found) => ('error' in found ? 404 : 200),
  ),
  pages: answerTo(listRequestSchema, (docs, request, signal) => docs.pages(request, signal)),
  filters: answerTo(v.unknown(), (docs, _request, signal) => docs.filters(signal)),
  claims: answerTo(claimsRequestSchema, (docs, request, signal) => docs.claims(request, signal)),
  proof: answerTo(proofRequestSchema, (docs, request, signal) => docs.proof(request, signal)),
  packages: ofPackages(v.unknown(), (packages, _request, signal) => packages.packages(signal)),
  package: ofPackages(packageRequestSchema, (packages, request) =>
    packages.setsOf(request.package),
  ),
  place: ofPackages(placeRequestSchema, (packages, request, signal) =>
    packages.place(request, signal),
  ),
};

/** Answers for installed packages. Other docs have none. */
function ofPackages<Request>(
  schema: v.GenericSchema<unknown, Request>,
  find: (packages: ShownPackages, request: Request, signal: AbortSignal) => Promise<object>,
): Answer {
  return async (c, docs, signal) => {
    const { packages } = docs;
    if (!packages) return c.json({ error: 'These docs have no packages.' }, 404);
    return answerTo(schema, (_docs, request: Request) => find(packages, request, signal))(
      c,
      docs,
      signal,
    );
  };
}

function answerTo<Request, Found extends object>(
  schema: v.GenericSchema<unknown, Request>,
  find: (docs: AskedEngine, request: Request, signal: AbortSignal) => Promise<Found>,
  statusOf: (found: Found) => 200 | 404 = () => 200,
): Answer {
  return async (c, docs, signal) => {
    const parsed = await requestOf(c, schema);
    if (!parsed.ok) return c.json({ error: parsed.error }, 400);
    const found = await find(docs, parsed.request, signal);
    return c.json(found, statusOf(found));
  };
}

/** Sets who writes the replies. For a service that no window started. */
export async function answerWriter(
  c: Context,
  writer: Pick<ReplyWriter, 'answerWith'>,
): Promise<Response> {
  const parsed = await requestOf(c, writerSchema);
  if (!parsed.ok) return c.json({ error: parsed.error }, 400);
  if (parsed.request.kind === 'vscode') {
    return c.json({ error: 'Only the window that started a service has models of VS Code.' }, 400);
  }
  writer.answerWith(parsed.request);
  return c.json({});
}

async function requestOf<Request>(
  c: Context,
  schema: v.GenericSchema<unknown, Request>,
): Promise<
  { readonly ok: true; readonly request: Request } | { readonly ok: false; readonly error: string }
> {
  const read = await jsonBody(c);
  if ('error' in read) return { ok: false, ...read };
  const { body } = read;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { ok: false, error: 'The request body must be a JSON object.' };
  }
  const result = v.safeParse(schema, body, { abortEarly: true });
  return result.success
    ? { ok: true, request: result.output }
    : { ok: false, error: describeIssue(result.issues[0]) };
}
