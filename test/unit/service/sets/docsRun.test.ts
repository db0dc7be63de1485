import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import type { RunningService } from '../../../../src/service/server/localServiceProcess';
import type { LocalDocs } from '../../../../src/service/server/servedDocs';
import { MAX_FIRST_PACKAGES, type ToService } from '../../../../src/service/server/parentChannel';
import { DocsRun, type ServiceHooks } from '../../../../src/service/sets/docsRun';
import { FakeClock, settled } from '../../../fakes/fakeClock';

const service: RunningService = {
  url: 'http://127.0.0.1:4000',
  domain: 'local',
  key: 'k',
  adminKey: 'a',
};

const site: LocalDocs = {
  kind: 'site',
  url: 'https://docs.example.com/',
  folder: '/cache',
  label: 'docs.example.com',
};

function aRun(docs: LocalDocs = site, importedNow?: () => readonly string[]) {
  const clock = new FakeClock();
  const sent: ToService[] = [];
  const messages: string[] = [];
  let hooks: ServiceHooks | undefined;
  const run = new DocsRun(
    {
      translate: plainTranslate,
      clock,
      importedNow,
      makeProcess: (own) => {
        hooks = own;
        return {
          start: () => Promise.resolve(service),
          send: (message) => void sent.push(message),
          dispose: () => undefined,
        };
      },
      onDidChange: () => undefined,
      onDidCrash: () => undefined,
    },
    docs,
  );
  run.report = ({ message }) => messages.push(message);
  const started = async (): Promise<ServiceHooks> => {
    await settled();
    assert.ok(hooks);
    return hooks;
  };
  return { run, clock, sent, messages, started };
}

describe('DocsRun', () => {
  it('says how long a site has sent nothing, until it sends something', async () => {
    const { run, clock, messages, started } = aRun();
    const starting = run.start(() => Promise.resolve(), new AbortController().signal);
    const hooks = await started();
    await clock.advance(11_000);
    assert.deepEqual(messages, [
      'reading pages…',
      'waiting for the site for 5 s…',
      'waiting for the site for 10 s…',
    ]);
    hooks.onDidProgress({ pages: 3 });
    hooks.onDidRefresh({ pages: 9, sizeBytes: 90, fetchedAt: 1, notes: [] });
    await starting;
    messages.length = 0;
    await clock.advance(60_000);
    assert.deepEqual(messages, []);
  });

  it('reads the packages first that the code in the editors imports', async () => {
    const docs: LocalDocs = { kind: 'installed', folder: '/app', label: 'Packages' };
    const imported = Array.from({ length: MAX_FIRST_PACKAGES + 1 }, (_, at) => `package-${at}`);
    const { run, sent, started } = aRun(docs, () => imported);
    const starting = run.start(() => Promise.resolve(), new AbortController().signal);
    (await started()).onDidList(3);
    await starting;
    assert.deepEqual(sent, [
      { type: 'packages-first', names: imported.slice(0, MAX_FIRST_PACKAGES) },
    ]);
    const other = aRun(site, () => imported);
    void other.run.start(() => Promise.resolve(), new AbortController().signal);
    await other.started();
    assert.deepEqual(other.sent, []);
  });

  it('ends a fetch that is canceled', async () => {
    const { run, sent, started } = aRun();
    const starting = run.start(() => Promise.resolve(), new AbortController().signal);
    (await started()).onDidIndex(9);
    await starting;
    const canceled = new AbortController();
    const fetching = run.fetchAgain(canceled.signal);
    canceled.abort(new Error('Canceled'));
    await assert.rejects(fetching, /Canceled/);
    assert.deepEqual(sent, [{ type: 'docs-refresh' }, { type: 'docs-refresh-cancel' }]);
  });
});
