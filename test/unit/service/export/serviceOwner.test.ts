import assert from 'node:assert/strict';
import sinon from 'sinon';
import { claimOwner, isOwnerAlive } from '../../../../src/service/export/exportFiles';

const rest = '00000000-0000-4000-8000-000000000000';

describe('isOwnerAlive', () => {
  it('is true for the services of this process until they end', () => {
    const [one, other] = [claimOwner(), claimOwner()];
    assert.notEqual(one.id, other.id);
    one.release();
    assert.equal(isOwnerAlive(one.id, Date.now()), false);
    assert.equal(isOwnerAlive(other.id, Date.now()), true);
    other.release();
  });

  it('treats a service of an earlier process with this number as dead', () => {
    assert.equal(isOwnerAlive(`${process.pid}-${rest}`, Date.now()), false);
  });

  it('is true for a running service of another process', () => {
    assert.equal(isOwnerAlive(`${process.ppid}-${rest}`, Date.now()), true);
  });

  it('treats a service that it may not signal as alive, such as one of another account', () => {
    const refusal = Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    const kill = sinon.stub(process, 'kill').throws(refusal);
    try {
      assert.equal(isOwnerAlive(`${process.ppid}-${rest}`, Date.now()), true);
    } finally {
      kill.restore();
    }
  });

  it('treats services from before the machine started as dead, whoever has their number now', () => {
    assert.equal(isOwnerAlive(`${process.ppid}-${rest}`, 0), false);
  });

  for (const id of [`99999999-${rest}`, `0-${rest}`, `x-${rest}`, '', '-1']) {
    it(`treats “${id}” as dead`, () => {
      assert.equal(isOwnerAlive(id, Date.now()), false);
    });
  }
});
