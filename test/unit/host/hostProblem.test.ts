import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../src/common/errors';
import { ExportError, exportErrorCodes } from '../../../src/export/exportErrors';
import { unsafeEntry, unsafeReasons } from '../../../src/export/archive/limits';
import { HostProblem, problemOf } from '../../../src/host/hostProblem';

describe('a problem of a host', () => {
  it('has a sentence that names no host and no file, for every error of a bundle', () => {
    for (const code of exportErrorCodes) {
      const details = { host: 'store.example.com', path: '/data/secret', causeCode: 'EACCES' };
      const problem = problemOf(new ExportError(code, details));
      assert.match(problem.message, /^[A-Z].+\.$/);
      assert.doesNotMatch(problem.message, /store\.example|secret/);
    }
  });

  it('has the names for the log in its detail, without a path or a query', () => {
    const refused = problemOf(
      new ExportError('store-refused', {
        host: 'store.example.com',
        status: 403,
        causeCode: 'AccessDenied',
      }),
    );
    assert.equal(refused.detail, 'store.example.com, AccessDenied, HTTP 403');
    const unsafe = problemOf(unsafeEntry('../x', unsafeReasons.climbsOut));
    assert.equal(unsafe.code, 'archive-refused');
    assert.equal(unsafe.detail, '../x, leads out of the folder');
  });

  it('may pass if a service or a disk is the cause', () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    assert.equal(problemOf(full).code, 'disk-full');
    const passing = [
      full,
      new ExportError('download-broken'),
      new DocsAssistantError('offline', { host: 'store.example.com' }),
    ];
    for (const error of passing) assert.ok(problemOf(error).isPassing);
    assert.equal(problemOf(passing[2]).code, 'store-unreachable');
    for (const code of ['link-expired', 'unsafe-archive', 'no-pages'] as const) {
      assert.ok(!problemOf(new ExportError(code)).isPassing, code);
    }
  });

  it('stays what it is', () => {
    const problem = new HostProblem('values-incomplete');
    assert.equal(problemOf(problem), problem);
  });
});
