import assert from 'node:assert/strict';
import type { DocsTarget } from '../../../../src/docsTools/docsTools';
import { parseTarget, targetText } from '../../../../src/docsTools/mcp/targetVariable';

const target: DocsTarget = {
  settings: {
    baseUrl: 'https://api.example/path',
    assistantDomain: 'acme',
    fp: 'anonymous',
    retrievalPageSize: 5,
    filter: { version: 'v2', groups: ['a', 'b'] },
    idleTimeoutMs: 60_000,
    headersTimeoutMs: 120_000,
  },
  label: 'acme · api.example',
  key: 'acme_dsc_0123456789abcdef',
  spendsCredit: true,
};

describe('the target of a window’s MCP server', () => {
  it('arrives as it was sent', () => {
    const local = { url: 'http://127.0.0.1:4000', domain: 'local', key: 'local_dsc_1' };
    for (const sent of [
      target,
      { ...target, local, spendsCredit: false },
      { ...target, key: undefined },
      {
        ...target,
        settings: {
          ...target.settings,
          baseUrl: undefined,
          unavailable: 'assistant-air-gapped' as const,
        },
      },
    ]) {
      assert.deepEqual(parseTarget(targetText(sent)), sent);
    }
  });

  it('tolerates what a newer version adds', () => {
    const newer = { ...target, settings: { ...target.settings, added: 1 }, added: true };
    assert.deepEqual(parseTarget(JSON.stringify(newer)), target);
  });

  it('is undefined for text that isn’t one', () => {
    const { label: _label, ...unnamed } = target;
    for (const text of ['', '{', 'null', '[]', '"text"', JSON.stringify(unnamed)]) {
      assert.equal(parseTarget(text), undefined, text);
    }
    const noTime = { ...target, settings: { ...target.settings, idleTimeoutMs: 0 } };
    assert.equal(parseTarget(JSON.stringify(noTime)), undefined);
  });
});
