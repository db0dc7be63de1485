import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/common/event';
import type { LocalSite } from '../../../../src/common/localSite';
import type { DocsFeature } from '../../../../src/vscode/docs/docsFeature';
import { LocalServiceEntry } from '../../../../src/vscode/docs/localServiceEntry';
import { settled } from '../../../fakes/fakeClock';

const served: LocalSite = { url: 'http://127.0.0.1:4100', domain: 'sample', key: 'local_dsc_1' };

/** Returns a local docs service whose feature starts when the test says so. */
function aService({ remembered }: { remembered: unknown } = { remembered: { kind: 'folder' } }) {
  const changed = new Emitter<void>();
  const site: { local?: LocalSite; onDidChange: typeof changed.event } = {
    onDidChange: changed.event,
  };
  let resumed = 0;
  let stopped = 0;
  let end = (): void => undefined;
  let fail = (_error: Error): void => undefined;
  const feature = {
    resume: () => {
      resumed++;
      return new Promise<void>((resolve, reject) => {
        end = resolve;
        fail = reject;
      });
    },
    stop: () => {
      stopped++;
      remembered = undefined;
      end();
      return Promise.resolve();
    },
  };
  const ports = { site, memento: { get: () => remembered } };
  // The ports of a start that is replaced below are not used.
  const service = new LocalServiceEntry(
    ports as unknown as ConstructorParameters<typeof LocalServiceEntry>[0],
  );
  service.feature = () => Promise.resolve(feature as unknown as DocsFeature);
  return {
    service,
    starts: () => resumed,
    stops: () => stopped,
    end: () => end(),
    /** Ends the start as docs that are gone do: nothing is served, and nothing is remembered. */
    lose: () => {
      remembered = undefined;
      end();
    },
    fail: (error: Error) => fail(error),
    answer: () => {
      site.local = served;
      changed.fire();
    },
  };
}

/** Returns whether a promise is settled by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(
    () => (done = true),
    () => (done = true),
  );
  await settled();
  return done;
}

describe('LocalServiceEntry.resume', () => {
  it('lets all callers wait for one start, until the docs answer', async () => {
    const { service, starts, answer } = aService();
    const calls = Array.from({ length: 20 }, () => service.resume());
    assert.equal(await isDone(Promise.race(calls)), false, 'a caller did not wait');
    assert.equal(starts(), 1);
    answer();
    await Promise.all(calls);
    await service.resume();
    assert.equal(starts(), 1);
  });

  it('lets callers go on when the docs cannot be served, and tries again later', async () => {
    const { service, starts, end, fail } = aService();
    const first = service.resume();
    await settled();
    end();
    await first;
    const second = service.resume();
    await settled();
    fail(new Error('gone'));
    await assert.rejects(second, /gone/);
    assert.equal(starts(), 2);
  });

  it('starts nothing where nothing was served', async () => {
    const { service, starts } = aService({ remembered: undefined });
    await service.resume();
    assert.equal(starts(), 0);
  });
});

describe('LocalServiceEntry.awaitDocs', () => {
  it('refuses each question that waited for docs that can’t be served, and no later one', async () => {
    const { service, lose } = aService();
    const questions = [service.awaitDocs(), service.awaitDocs()];
    await settled();
    lose();
    for (const question of questions) {
      await assert.rejects(question, { name: 'DocsAssistantError', code: 'docs-not-served' });
    }
    await service.awaitDocs();
  });

  it('lets a question go to the site that the reader chose while it waited', async () => {
    const { service } = aService();
    const question = service.awaitDocs();
    await settled();
    await service.leave();
    await question;
  });

  it('lets a question go to the docs that answer', async () => {
    const { service, answer } = aService();
    const question = service.awaitDocs();
    await settled();
    answer();
    await question;
  });
});

describe('LocalServiceEntry.leave', () => {
  it('forgets docs that were not served again yet, so that they don’t replace the chosen site', async () => {
    const { service, starts, stops } = aService();
    await service.leave();
    assert.equal(stops(), 1);
    await service.resume();
    assert.equal(starts(), 0);
  });

  it('loads nothing where nothing is served', async () => {
    const { service, stops } = aService({ remembered: undefined });
    await service.leave();
    assert.equal(stops(), 0);
  });
});
