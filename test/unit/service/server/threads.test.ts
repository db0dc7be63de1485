import assert from 'node:assert/strict';
import { ServiceThreads } from '../../../../src/service/server/serviceThreads';

const turn = (question: string): { question: string; citedRoutes: string[] } => ({
  question,
  citedRoutes: [],
});

function threads(capacity = 3): ServiceThreads {
  let count = 0;
  return new ServiceThreads(() => `t${++count}`, capacity);
}

describe('ServiceThreads', () => {
  it('continues a thread by the ID that it issued', () => {
    const known = threads();
    const id = known.record(undefined, 'anonymous', turn('one'));
    assert.equal(known.record(id, 'anonymous', turn('two')), id);
    assert.deepEqual(
      known.turns(id, 'anonymous')?.map(({ question }) => question),
      ['one', 'two'],
    );
  });

  it('does not accept an ID that it did not issue', () => {
    for (const id of ['t9', '__proto__', 'constructor', '']) {
      assert.equal(threads().turns(id, 'anonymous'), undefined);
    }
  });

  it('shows a thread to nobody else', () => {
    const known = threads();
    const id = known.record(undefined, 'ada', turn('one'));
    assert.equal(known.turns(id, 'bob'), undefined);
  });

  it('forgets the least recently used thread', () => {
    const known = threads(2);
    const first = known.record(undefined, 'a', turn('1'));
    const second = known.record(undefined, 'a', turn('2'));
    known.turns(first, 'a');
    const third = known.record(undefined, 'a', turn('3'));
    assert.equal(known.turns(second, 'a'), undefined);
    assert.ok(known.turns(first, 'a') && known.turns(third, 'a'));
  });

  it('limits the size of a thread with endless turns', () => {
    const known = threads();
    const id = known.record(undefined, 'a', turn('0'));
    for (let count = 1; count < 200; count++) known.record(id, 'a', turn(String(count)));
    assert.ok((known.turns(id, 'a')?.length ?? 0) <= 50);
    assert.equal(known.turns(id, 'a')?.at(-1)?.question, '199');
  });
});
