import assert from 'node:assert/strict';
import { workspaceSites } from '../../../src/site/workspaceSites';
import { MemoryMemento } from '../../fakes/memoryMemento';

describe('workspaceSites', () => {
  it('remembers each site by itself and changes only what is given', () => {
    const memento = new MemoryMemento();
    const sites = workspaceSites(memento);
    sites.change('a', (site) => ({ ...site, threadId: 'thread-1' }));
    sites.change('b', (site) => ({ ...site, filter: { version: 'v2' } }));
    sites.change('a', (site) => ({ ...site, filter: { groups: ['admins'] } }));
    const reloaded = workspaceSites(memento);
    assert.deepEqual(reloaded.read('a'), { threadId: 'thread-1', filter: { groups: ['admins'] } });
    assert.deepEqual(reloaded.read('b'), { filter: { version: 'v2' } });
    assert.deepEqual(reloaded.read('c'), {});
  });

  it('leaves out what it can’t read, and nothing else', async () => {
    const memento = new MemoryMemento();
    const sites = workspaceSites(memento);
    for (const stored of [7, 'sites', [], null]) {
      await memento.update('sites', stored);
      assert.deepEqual(sites.read('a'), {}, JSON.stringify(stored));
    }
    await memento.update('sites', {
      a: { threadId: 7, filter: { version: 'v2' } },
      b: 'broken',
      c: { threadId: 'thread-3', filter: { version: 2 } },
    });
    assert.deepEqual(sites.read('a'), { filter: { version: 'v2' } });
    assert.deepEqual(sites.read('b'), {});
    assert.deepEqual(sites.read('c'), { threadId: 'thread-3' });
  });

  it('forgets the sites that were changed longest ago beyond 50', () => {
    const sites = workspaceSites(new MemoryMemento());
    for (let number = 0; number < 60; number++) {
      sites.change(`site ${number}`, () => ({ threadId: `thread-${number}` }));
      sites.change('site 0', (site) => site);
    }
    assert.deepEqual(sites.read('site 0'), { threadId: 'thread-0' });
    assert.deepEqual(sites.read('site 1'), {});
    assert.deepEqual(sites.read('site 59'), { threadId: 'thread-59' });
  });
});
