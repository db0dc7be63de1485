import assert from 'node:assert/strict';
import { endpointState } from '../../../../src/docs/writers/endpointModels';

const listing = (...ids: readonly string[]) =>
  ({ ok: true, models: ids.map((id) => ({ id })), isOpenAiList: true }) as const;

describe('the state of an endpoint’s model', () => {
  for (const [what, listed, state] of [
    ['that is listed', listing('other', 'llama3.2'), 'ready'],
    ['that Ollama lists with its tag', listing('llama3.2:latest'), 'ready'],
    ['of another size', listing('llama3.2:70b'), 'model-missing'],
    ['of an endpoint that lists none', listing(), 'lists-no-models'],
    [
      'of an endpoint that doesn’t list its models',
      { ok: false, reason: 'unknown' },
      'lists-no-models',
    ],
    ['behind a wrong key', { ok: false, reason: 'key' }, 'key-rejected'],
    ['behind a redirect', { ok: false, reason: 'redirect' }, 'redirects'],
    ['that can’t be reached', { ok: false, reason: 'unreachable' }, 'unreachable'],
  ] as const) {
    it(`is ${state} for one ${what}`, () => assert.equal(endpointState(listed, 'llama3.2'), state));
  }
});
