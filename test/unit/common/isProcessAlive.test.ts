import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import sinon from 'sinon';
import { isProcessAlive } from '../../../src/common/isProcessAlive';

describe('isProcessAlive', () => {
  afterEach(() => sinon.restore());

  it('knows a running process and one that has ended', () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    assert.equal(isProcessAlive(process.ppid), true);
    assert.equal(isProcessAlive(pid), false);
  });

  it('takes a process that may not be signaled for alive', () => {
    const refusal = Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    const kill = sinon.stub(process, 'kill').throws(refusal);
    assert.equal(isProcessAlive(4321), true);
    sinon.assert.calledOnceWithExactly(kill, 4321, 0);
  });

  it('takes a number that is no process ID for dead', () => {
    assert.equal(isProcessAlive(1.5), false);
    assert.equal(isProcessAlive(NaN), false);
  });
});
