import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import {
  localChecks,
  type CheckedDocs,
  type CheckedMcp,
  type CheckedModel,
  type LocalCheckPorts,
} from '../../../../src/site/setupCheck/localChecks';
import { FakeClock } from '../../../fakes/fakeClock';
import { fetchFailure } from '../../../fakes/fakeFetch';
import { lineOf, shown } from './lines';

const docs: CheckedDocs = { url: 'http://127.0.0.1:8080', label: 'Guide', pages: 12, isOwn: true };

async function line(title: string, ports: Partial<LocalCheckPorts>): Promise<readonly string[]> {
  const checks = localChecks({
    clock: new FakeClock(),
    fetch: () => Promise.resolve(new Response('<h1>Docs</h1>')),
    translate: plainTranslate,
    docs: undefined,
    model: () => Promise.resolve({ kind: 'quotes' }),
    ...ports,
  });
  return shown(await lineOf(checks, title));
}

describe('the check of local docs', () => {
  it('is skipped if no local docs are chosen', async () => {
    assert.equal((await line('Local docs', {}))[0], 'skipped');
  });

  for (const [what, checked, expected] of [
    ['its pages', docs, ['passed', 'The local docs service answers from Guide with 12 pages.']],
    [
      'one page',
      { ...docs, pages: 1 },
      ['passed', 'The local docs service answers from Guide with 1 page.'],
    ],
    [
      'pages that are still read',
      { ...docs, pages: undefined },
      ['passed', 'The local docs service answers from Guide. Its pages are still being read.'],
    ],
    ['no pages', { ...docs, pages: 0 }, ['failed', 'Guide has no pages.', 'choose-docs']],
    [
      'a service of another process',
      { ...docs, pages: undefined, isOwn: false },
      ['passed', 'The local docs service answers from Guide.'],
    ],
  ] as const) {
    it(`reports ${what}`, async () => {
      assert.deepEqual(await line('Local docs', { docs: checked }), expected);
    });
  }

  it('fails for a service that has stopped or is broken', async () => {
    const gone = () => Promise.reject(fetchFailure('ECONNREFUSED'));
    assert.deepEqual(await line('Local docs', { docs, fetch: gone }), [
      'failed',
      'The local docs service doesn’t answer.',
      'choose-docs',
    ]);
    const broken = () => Promise.resolve(new Response('', { status: 500 }));
    assert.deepEqual(await line('Local docs', { docs, fetch: broken }), [
      'failed',
      'The local docs service answers with HTTP 500.',
      'choose-docs',
    ]);
  });
});

describe('the check of the model', () => {
  const models: readonly (readonly [CheckedModel, string, string?])[] = [
    [{ kind: 'quotes' }, 'skipped'],
    [{ kind: 'vscode', label: 'M', state: 'ready' }, 'passed'],
    [{ kind: 'vscode', label: 'M', state: 'not-allowed' }, 'failed', 'answer-with'],
    [{ kind: 'vscode', label: 'M', state: 'missing' }, 'failed', 'answer-with'],
    [{ kind: 'endpoint', label: 'M', state: 'ready' }, 'passed'],
    [{ kind: 'endpoint', label: 'M', state: 'lists-no-models' }, 'passed'],
    [{ kind: 'endpoint', label: 'M', state: 'model-missing' }, 'failed', 'answer-with'],
    [{ kind: 'endpoint', label: 'M', state: 'key-rejected' }, 'failed', 'answer-with'],
    [{ kind: 'endpoint', label: 'M', state: 'bad-key' }, 'failed', 'answer-with'],
    [{ kind: 'endpoint', label: 'M', state: 'redirects' }, 'failed', 'answer-with'],
    [{ kind: 'endpoint', label: 'M', state: 'unreachable' }, 'failed', 'answer-with'],
  ];
  for (const [model, state, action] of models) {
    it(`is ${state} for ${Object.values(model).join(' ')}`, async () => {
      const [actual, , actualAction] = await line('Model', {
        docs,
        model: () => Promise.resolve(model),
      });
      assert.deepEqual([actual, actualAction], [state, action]);
    });
  }
});

it('ignores the model of earlier docs if none are chosen now', async () => {
  const gone: CheckedModel = { kind: 'endpoint', label: 'M', state: 'unreachable' };
  const actual = await line('Model', { model: () => Promise.resolve(gone) });
  assert.deepEqual(actual, ['skipped', 'No docs on this machine are chosen.']);
});

describe('the check of the MCP server', () => {
  const fine: CheckedMcp = { isSupported: true, isRegistered: true, hasProgram: true };
  for (const [mcp, state] of [
    [fine, 'passed'],
    [{ ...fine, isRegistered: false }, 'failed'],
    [{ ...fine, isSupported: false, isRegistered: false }, 'skipped'],
    [{ ...fine, hasProgram: false }, 'failed'],
  ] as const) {
    it(`is ${state} for ${JSON.stringify(mcp)}`, async () => {
      assert.equal((await line('MCP server', { mcp: () => Promise.resolve(mcp) }))[0], state);
    });
  }
});
