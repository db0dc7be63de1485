/** Imitates CloudFront and a bucket with the generated template: the function, headers and errors. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import * as v from 'valibot';
import { parse } from 'yaml';
import { plainTranslate } from '../../src/common/errors';
import { hostingConfiguration } from '../../src/export/hosting/hostingFiles';
import type { HostingSite } from '../../src/export/hosting/hostingSite';
import type { RunningHost } from './webServers';

const requestSchema = v.object({ uri: v.string() });
const responseSchema = v.object({
  statusCode: v.number(),
  headers: v.optional(v.record(v.string(), v.object({ value: v.string() })), {}),
});

export type FunctionResult =
  | { readonly uri: string }
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

/** Runs the code of a function. `store` is the content of its key value store. */
export function cloudFrontHandler(
  code: string,
  store?: string,
): (address: string) => Promise<FunctionResult> {
  const data = v.parse(
    v.object({ data: v.array(v.object({ key: v.string(), value: v.string() })) }),
    JSON.parse(store ?? '{"data":[]}'),
  ).data;
  const values = new Map(data.map(({ key, value }) => [key, value]));
  const cf = {
    kvs: () => ({
      get: (key: string) =>
        values.has(key) ? Promise.resolve(values.get(key)) : Promise.reject(new Error('no key')),
    }),
  };
  const context = createContext({ cf });
  runInContext(code.replace("import cf from 'cloudfront';", ''), context);
  return async (address) => {
    const [uri = '', query = ''] = address.split(/\?(.*)/s);
    const names = query === '' ? [] : query.split('&').map((pair) => pair.split(/=(.*)/s));
    const querystring = Object.fromEntries(
      names.map(([name = '', value = '']) => [name, { value }]),
    );
    context['event'] = { request: { method: 'GET', uri, querystring, headers: {} } };
    const result: unknown = await runInContext('handler(event)', context);
    const request = v.safeParse(requestSchema, result);
    if (request.success) return { uri: request.output.uri };
    const { statusCode: status, headers } = v.parse(responseSchema, result);
    return {
      status,
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, { value }]) => [name, value]),
      ),
    };
  };
}

/** CloudFormation tags for values that only AWS knows. */
const customTags = ['!Ref', '!Sub', '!GetAtt'].map((tag) => ({
  tag,
  resolve: (text: string) => `${tag} ${text}`,
}));
const listTags = ['!If', '!Not', '!Equals'].map((tag) => ({
  tag,
  collection: 'seq' as const,
}));

const policySchema = v.object({
  ResponseHeadersPolicyConfig: v.object({
    SecurityHeadersConfig: v.object({
      ContentSecurityPolicy: v.object({ ContentSecurityPolicy: v.string() }),
      FrameOptions: v.object({ FrameOption: v.string() }),
      ReferrerPolicy: v.object({ ReferrerPolicy: v.string() }),
    }),
    CustomHeadersConfig: v.object({
      Items: v.array(v.object({ Header: v.string(), Value: v.string() })),
    }),
  }),
});
const behaviorSchema = v.object({
  ResponseHeadersPolicyId: v.string(),
  PathPattern: v.optional(v.string()),
});
const templateSchema = v.object({
  Resources: v.object({
    Function: v.object({ Properties: v.object({ FunctionCode: v.string() }) }),
    FreshHeaders: v.object({ Properties: policySchema }),
    ImmutableHeaders: v.object({ Properties: policySchema }),
    Distribution: v.object({
      Properties: v.object({
        DistributionConfig: v.object({
          DefaultCacheBehavior: behaviorSchema,
          CacheBehaviors: v.optional(v.array(behaviorSchema), []),
          CustomErrorResponses: v.optional(
            v.array(
              v.object({
                ErrorCode: v.number(),
                ResponseCode: v.number(),
                ResponsePagePath: v.string(),
              }),
            ),
            [],
          ),
        }),
      }),
    }),
  }),
});

/** Parses a generated template as far as the fake needs it. */
export function parseTemplate(text: string): v.InferOutput<typeof templateSchema>['Resources'] {
  const tags = [...customTags, ...listTags];
  return v.parse(templateSchema, parse(text, { customTags: tags })).Resources;
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  md: 'text/markdown',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
  xml: 'application/xml',
};

/** Serves a folder as the distribution of the generated template would. */
export async function startCloudFront(root: string, site: HostingSite): Promise<RunningHost> {
  const settings = { root: '/srv/docs', host: 'docs.example.com' };
  const { files, policy } = hostingConfiguration(site, 'cloudfront', settings, plainTranslate);
  const contentOf = (name: string): string | undefined =>
    files.find((file) => file.name === `docs-site.${name}`)?.content;
  const resources = parseTemplate(contentOf('cloudformation.yaml') ?? '');
  assert.equal(resources.Function.Properties.FunctionCode.trim(), contentOf('function.js')?.trim());
  const handle = cloudFrontHandler(
    resources.Function.Properties.FunctionCode,
    contentOf('store.json'),
  );
  const { DistributionConfig: distribution } = resources.Distribution.Properties;

  const fileOf = (uri: string): Promise<Buffer | undefined> =>
    readFile(path.join(root, decodeURIComponent(uri))).catch(() => undefined);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = request.url ?? '';
    // CloudFront chooses the behavior by the requested path, before the function changes it.
    const behavior =
      distribution.CacheBehaviors.find(({ PathPattern }) =>
        matches(PathPattern ?? '', address.split('?')[0] ?? ''),
      ) ?? distribution.DefaultCacheBehavior;
    const isImmutable = behavior.ResponseHeadersPolicyId.includes('ImmutableHeaders');
    const headers = (isImmutable ? resources.ImmutableHeaders : resources.FreshHeaders).Properties
      .ResponseHeadersPolicyConfig;
    const security = headers.SecurityHeadersConfig;
    response.setHeader(
      'Content-Security-Policy',
      security.ContentSecurityPolicy.ContentSecurityPolicy,
    );
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Frame-Options', security.FrameOptions.FrameOption);
    response.setHeader('Referrer-Policy', security.ReferrerPolicy.ReferrerPolicy);
    for (const { Header, Value } of headers.CustomHeadersConfig.Items) {
      response.setHeader(Header, Value);
    }
    // Only the default behavior has the function.
    const result = isImmutable ? { uri: address } : await handle(address);
    if ('status' in result) {
      response.writeHead(result.status, result.headers);
      response.end();
      return;
    }
    let uri = result.uri;
    let bytes = await fileOf(uri);
    if (bytes === undefined) {
      const error = distribution.CustomErrorResponses.find(({ ErrorCode }) => ErrorCode === 403);
      assert.ok(error);
      uri = error.ResponsePagePath;
      response.statusCode = error.ResponseCode;
      bytes = await fileOf(uri);
    }
    const type = types[path.extname(uri).slice(1)] ?? 'application/octet-stream';
    response.setHeader('Content-Type', type);
    response.end(bytes);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  assert.ok(bound !== null && typeof bound === 'object');
  return {
    origin: `http://127.0.0.1:${bound.port}`,
    policy,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Matches a path pattern, in which `*` stands for any text. */
function matches(pattern: string, address: string): boolean {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(address);
}
