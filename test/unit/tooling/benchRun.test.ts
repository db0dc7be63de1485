import assert from 'node:assert/strict';
import { runBench } from '../../tooling/benchRun.mjs';

const row = { name: 'a', unit: 'ms', ours: 1, goal: null, met: true };

/** Runs a script as a bench. @returns the batches of rows in the order in which they came, and the failure. */
async function run(script: string): Promise<{ batches: unknown[]; failure: string | undefined }> {
  const batches: unknown[] = [];
  const failure = await runBench(['-e', `const row = ${JSON.stringify(row)};\n${script}`], (rows) =>
    batches.push(rows),
  );
  return { batches, failure };
}

const report = 'console.log(JSON.stringify({ rows: [row] }));';

describe('runBench', () => {
  it('passes on each row as it comes, and drops other lines', async () => {
    const { batches, failure } = await run(
      `console.log('building');${report}${report}console.log('{}');`,
    );
    assert.deepEqual(batches, [[row], [row]]);
    assert.equal(failure, undefined);
  });

  it('keeps the rows of a bench that fails later, and says why it failed', async () => {
    const { batches, failure } = await run(`${report}process.exitCode = 3;`);
    assert.deepEqual([batches, failure], [[[row]], 'ended with 3']);
  });

  it('says that a bench was killed, also in the middle of a row', async () => {
    const { batches, failure } = await run(
      `process.stdout.write('{"rows":[{', () => process.kill(process.pid, 'SIGKILL'));`,
    );
    assert.deepEqual([batches, failure], [[], 'ended with SIGKILL']);
  });

  it('fails a bench without figures', async () => {
    assert.equal((await run('')).failure, 'reported no figures');
  });
});
