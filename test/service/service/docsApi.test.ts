import assert from 'node:assert/strict';
import path from 'node:path';
import * as v from 'valibot';
import { filtersResponseSchema, localDocsEndpoint } from '../../../src/common/localDocsApi';
import type { LocalService } from '../../../src/service/server/server';
import { ask, serviceDomain, serviceKey, startService } from './localServiceAsking';

const sampleDocs = path.resolve('src/service/sample/docs');

type Route = 'search' | 'page' | 'filters';
const bodies: Readonly<Record<Route, object>> = {
  search: { query: 'webhooks' },
  page: { page: 'v2/en/webhooks' },
  filters: {},
};

describe('search and pages of the local docs service', () => {
  let service: LocalService;
  const post = (
    route: Route,
    body: unknown = bodies[route],
    headers: Record<string, string> = {},
    domain = serviceDomain,
  ): Promise<Response> =>
    fetch(localDocsEndpoint(service.url, domain, route), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${serviceKey}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const errorOf = async (response: Response): Promise<string> => {
    const body: unknown = await response.json();
    assert.ok(typeof body === 'object' && body !== null && 'error' in body);
    return String(body.error);
  };

  before(async () => {
    service = await startService(sampleDocs);
    await service.whenIndexed();
  });
  after(() => service.stop());

  for (const route of ['search', 'page'] as const) {
    describe(route, () => {
      it('accepts only the assistant key', async () => {
        assert.equal((await post(route)).status, 200);
        for (const authorization of [
          '',
          'Bearer local_dsc_wrong0123456789',
          `Bearer ${service.adminKey}`,
        ]) {
          const response = await post(route, bodies[route], { authorization });
          assert.equal(response.status, 401, authorization);
          assert.equal(response.headers.get('www-authenticate'), 'Bearer');
          assert.match(await errorOf(response), /key/);
        }
      });

      it('accepts only its own site', async () => {
        const response = await post(route, bodies[route], {}, 'other');
        assert.equal(response.status, 404);
        assert.match(await errorOf(response), /doesn't exist at this service/);
      });

      it('accepts only JSON of up to 1 MB by POST', async () => {
        assert.equal((await post(route, '{}', { 'content-type': 'text/plain' })).status, 415);
        assert.equal((await post(route, '{')).status, 400);
        assert.equal((await post(route, '[]')).status, 400);
        const large = JSON.stringify({ query: 'x'.repeat(1_100_000), page: 'x' });
        assert.equal((await post(route, large)).status, 413);
        const get = await fetch(localDocsEndpoint(service.url, serviceDomain, route));
        assert.equal(get.status, 405);
        assert.equal(get.headers.get('allow'), 'POST');
      });

      it('says which field is wrong and never repeats its value', async () => {
        const [name] = Object.keys(bodies[route]);
        for (const value of [undefined, 7, '', '  ', 'CANARY'.repeat(2000)]) {
          const response = await post(route, { [name ?? '']: value });
          assert.equal(response.status, 400);
          const error = await errorOf(response);
          assert.match(error, new RegExp(`^${name} `));
          assert.doesNotMatch(error, /CANARY/);
        }
      });

      it('counts against the limits of questions', async () => {
        const limited = await startService(sampleDocs, {
          limits: {
            organization: { requests: 1, seconds: 60 },
            address: { requests: 100, seconds: 60 },
          },
        });
        try {
          await limited.whenIndexed();
          await ask(limited, 'What are webhooks?');
          const response = await fetch(localDocsEndpoint(limited.url, serviceDomain, route), {
            method: 'POST',
            headers: { authorization: `Bearer ${serviceKey}`, 'content-type': 'application/json' },
            body: JSON.stringify(bodies[route]),
          });
          assert.equal(response.status, 429);
          assert.ok(Number(response.headers.get('retry-after')) > 0);
        } finally {
          await limited.stop();
        }
      });
    });
  }

  it('tells which versions, languages and groups the pages have', async () => {
    const response = await post('filters');
    assert.deepEqual(v.parse(filtersResponseSchema, await response.json()), {
      versions: ['v2', 'v1'],
      languages: ['de', 'en'],
      groups: ['admin', 'api', 'guides', 'sdk'],
    });
    assert.equal((await post('filters', {}, { authorization: '' })).status, 401);
    assert.equal((await post('filters', {}, {}, 'other')).status, 404);
  });

  it('limits a search to 50 sections', async () => {
    const response = await post('search', { query: 'webhooks', limit: 51 });
    assert.match(await errorOf(response), /^limit must be at most 50/);
  });
});
