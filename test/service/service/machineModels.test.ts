import assert from 'node:assert/strict';
import { systemClock } from '../../../src/common/clock';
import { findMachineModels, modelServerPorts } from '../../../src/service/sets/machineModels';
import {
  fails,
  type ModelEndpoint,
  type ModelScript,
  startModelEndpoint,
} from '../../fakes/modelEndpoint';

const listOf = (...ids: readonly string[]): object => ({
  object: 'list',
  data: ids.map((id) => ({ id, object: 'model', created: 1, owned_by: 'library' })),
});

function answers(body: unknown, type = 'application/json'): ModelScript {
  return (response) => {
    response.writeHead(200, { 'content-type': type });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

function find(...endpoints: readonly ModelEndpoint[]) {
  return findMachineModels({
    ports: endpoints.map(({ baseUrl }) => Number(new URL(baseUrl).port)),
    fetch: globalThis.fetch,
    clock: systemClock,
  });
}

describe('the models of servers on this machine', () => {
  let endpoint: ModelEndpoint;
  beforeEach(async () => (endpoint = await startModelEndpoint()));
  afterEach(() => endpoint.stop());

  it('are those that can write, in the order of the list, with the room that the server tells', async () => {
    const body = {
      object: 'list',
      data: [
        { id: 'text-embedding-nomic-embed-text-v1.5', object: 'model' },
        { id: 'llama3.2:latest', object: 'model' },
        { id: 'bge-reranker-v2-m3', object: 'model' },
        { id: 'Qwen/Qwen3-8B', object: 'model', max_model_len: 8000 },
      ],
    };
    endpoint.models = answers(body);
    assert.deepEqual(await find(endpoint), [
      { kind: 'endpoint', baseUrl: endpoint.baseUrl, model: 'llama3.2:latest' },
      {
        kind: 'endpoint',
        baseUrl: endpoint.baseUrl,
        model: 'Qwen/Qwen3-8B',
        maxInputTokens: 6000,
      },
    ]);
  });

  it('are asked for with one request without data or key', async () => {
    endpoint.models = answers(listOf('a'));
    await find(endpoint);
    const [request, ...others] = endpoint.requests;
    assert.deepEqual(others, []);
    assert.equal(request?.path, '/v1/models');
    assert.deepEqual(request.body, {});
    assert.equal(request.headers.authorization, undefined);
  });

  it('come from each server, whatever another one answers', async () => {
    const second = await startModelEndpoint();
    try {
      endpoint.models = fails(500, 'broken');
      second.models = answers(listOf('b'));
      assert.deepEqual(
        (await find(endpoint, second)).map(({ model }) => model),
        ['b'],
      );
    } finally {
      await second.stop();
    }
  });

  const hugeList = listOf(...Array.from({ length: 60_000 }, (_, index) => `model-${index}`));
  const odd: readonly [string, ModelScript][] = [
    ['a web page', answers('<html><body>Home</body></html>', 'text/html')],
    ['a web page that calls itself JSON', answers('<html></html>')],
    ['no such address', fails(404, 'not found')],
    ['that it wants a key', fails(401, 'no key')],
    ['a list that is no list of models', answers({ data: [{ id: 'car-1' }, { id: 'car-2' }] })],
    ['an empty list', answers(listOf())],
    ['only models for embeddings', answers(listOf('nomic-embed-text', 'all-minilm'))],
    ['a list of more than 4 MB', answers(hugeList)],
    ['null', answers('null')],
    [
      'a redirect to another server',
      (response) => {
        response.writeHead(302, { location: 'http://127.0.0.1:9/v1/models' });
        response.end();
      },
    ],
    ['nothing', () => undefined],
    [
      'half a list',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write('{"object":"list","data":[');
      },
    ],
  ];
  for (const [what, models] of odd) {
    it(`are none where the server answers with ${what}, within a second`, async () => {
      endpoint.models = models;
      const startedAt = performance.now();
      assert.deepEqual(await find(endpoint), []);
      assert.equal(endpoint.requests.length, 1);
      assert.ok(performance.now() - startedAt < 2000);
    });
  }

  it('are none where nothing listens', async () => {
    const gone = await startModelEndpoint();
    await gone.stop();
    assert.deepEqual(await find(gone), []);
  });

  it('are looked for on the usual ports, or on those that are named', () => {
    assert.deepEqual(modelServerPorts(undefined), [11434, 1234, 8080, 8000]);
    assert.deepEqual(modelServerPorts(''), []);
    assert.deepEqual(modelServerPorts('1, 70000,x,8081'), [1, 8081]);
  });
});
