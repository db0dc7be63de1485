import assert from 'node:assert/strict';
import { notebookErrors } from '../../../../src/chat/context/notebookErrors';

const output = (value: unknown, mime = 'application/vnd.code.notebook.error') => ({
  mime,
  data: new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)),
});

describe('notebookErrors', () => {
  it('returns the traceback of an error', () => {
    const stack = 'Traceback (most recent call last)\nApiError: refused';
    assert.equal(notebookErrors([output({ name: 'ApiError', message: 'refused', stack })]), stack);
  });

  it('adds the message to a traceback without it', () => {
    const error = { name: 'ApiError', message: 'refused', stack: 'at line 1' };
    assert.equal(notebookErrors([output(error)]), 'at line 1\nApiError: refused');
  });

  it('returns name and message where there is no traceback', () => {
    assert.equal(notebookErrors([output({ name: 'ApiError', message: 'no' })]), 'ApiError: no');
    assert.equal(
      notebookErrors([output({ name: 'ApiError', message: '', stack: '' })]),
      'ApiError',
    );
  });

  // Shows faults.md N6.
  it('leaves out other outputs, broken ones and huge ones', () => {
    const outputs = [
      output('42', 'text/plain'),
      output('{"name":'),
      output({ name: 5, message: null }),
      output('[]'),
      output({ name: 'E', message: 'x'.repeat(2_000_000) }),
    ];
    assert.equal(notebookErrors(outputs), '');
  });

  it('joins several errors', () => {
    const errors = ['a', 'b'].map((message) => output({ name: 'E', message }));
    assert.equal(notebookErrors(errors), 'E: a\n\nE: b');
  });
});
