import assert from 'node:assert/strict';
import sinon from 'sinon';
import { claimOwner, isOwnerAlive } from '../../../../src/localService/export/exportFiles';

const rest = '00000000-0000-4000-8000-000000000000';

describe('isOwnerAlive', () => {
  it('knows the services of this process until they end', () => {
    const [one, other] = [claimOwner(), claimOwner()];
    assert.notEqual(one.id, other.id);
    one.release();
    assert.equal(isOwnerAlive(one.id, Date.now()), false);
    assert.equal(isOwnerAlive(other.id, Date.now()), true);
    other.release();
  });

  it('takes a service of an earlier process with this number for dead', () => {
    assert.equal(isOwnerAlive(`${process.pid}-${rest}`, Date.now()), false);
  });

  it('knows a service of another process that runs', () => {
    assert.equal(isOwnerAlive(`${process.ppid}-${rest}`, Date.now()), true);
  });

  it('knows a service of another account or an elevated one, which may not be signaled', () => {
    const refusal = Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    const kill = sinon.stub(process, 'kill').throws(refusal);
    try {
      assert.equal(isOwnerAlive(`${process.ppid}-${rest}`, Date.now()), true);
    } finally {
      kill.restore();
    }
  });

  it('takes what was signed before the machine started for dead, whoever has the number now', () => {
    assert.equal(isOwnerAlive(`${process.ppid}-${rest}`, 0), false);
  });

  for (const id of [`99999999-${rest}`, `0-${rest}`, `x-${rest}`, '', '-1']) {
    it(`takes “${id}” for dead`, () => {
      assert.equal(isOwnerAlive(id, Date.now()), false);
    });
  }
});
