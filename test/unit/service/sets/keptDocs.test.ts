import assert from 'node:assert/strict';
import type { LocalDocs } from '../../../../src/service/server/servedDocs';
import type { DocsSet } from '../../../../src/service/sets/docsSets';
import { keptDocsOf } from '../../../../src/service/sets/keptDocs';

const aSet = (docs: LocalDocs, more: Partial<DocsSet> = {}): DocsSet => ({
  schemaVersion: 1,
  id: docs.label,
  docs,
  addedAt: 0,
  usedAt: 0,
  ...more,
});
const fetched = (url: string, more: Partial<DocsSet> = {}): DocsSet =>
  aSet({ kind: 'site', url, folder: '/own/pages', label: url }, more);
const bundle = (label: string, more: Partial<DocsSet> = {}): DocsSet =>
  aSet({ kind: 'bundle', folder: '/bundle', label }, more);

describe('keptDocsOf', () => {
  it('finds a fetched site by the host that the replies cite', () => {
    const own = fetched('https://help.acme.example/en/');
    const sets = [fetched('https://acme.docs.example/'), own];
    const site = { domain: 'acme', pagesHost: 'help.acme.example' };
    assert.equal(keptDocsOf(sets, site), own);
    assert.equal(keptDocsOf([sets[0] ?? own], site), undefined, 'the evidence was ignored');
  });

  it('finds a site by its domain before any reply cited a page', () => {
    const own = fetched('https://acme.docs.example/start');
    assert.equal(keptDocsOf([own], { domain: 'acme' }), own);
    for (const other of ['https://acme.example/', 'https://docs.acme.example/', 'https://acme/']) {
      assert.equal(keptDocsOf([fetched(other)], { domain: 'acme' }), undefined, other);
    }
  });

  it('finds the bundle of an export, also when it has another name now', () => {
    const site = { domain: 'acme', pagesHost: 'docs.acme.example' };
    const own = bundle('docs.acme.example');
    assert.equal(keptDocsOf([own], site), own);
    const second = bundle('Handbook', { threadName: 'docs.acme.example (2)' });
    assert.equal(keptDocsOf([second], site), second);
    for (const name of ['Handbook', 'docs.acme.example/x', 'docs', '']) {
      assert.equal(keptDocsOf([bundle(name)], site), undefined, name);
    }
  });

  // Shows faults.md O18.
  it('never takes a folder for the docs of a site', () => {
    const folder = aSet({ kind: 'folder', folder: '/docs', label: 'docs.acme.example' });
    assert.equal(
      keptDocsOf([folder], { domain: 'acme', pagesHost: 'docs.acme.example' }),
      undefined,
    );
  });

  it('prefers the docs that were fetched or read last', () => {
    const site = { domain: 'acme', pagesHost: 'docs.acme.example' };
    const older = bundle('docs.acme.example', { fetchedAt: 5 });
    const newer = fetched('https://docs.acme.example/', { fetchedAt: 7 });
    const unknown = fetched('https://docs.acme.example/v2/');
    assert.equal(keptDocsOf([older, newer, unknown], site), newer);
    assert.equal(keptDocsOf([unknown, older], site), older);
  });
});
