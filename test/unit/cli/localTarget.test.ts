import assert from 'node:assert/strict';
import { trustSystem } from '../../../src/cli/localTarget';

describe('trustSystem', () => {
  it('trusts the certificates of the system beside those of Node', () => {
    const trusted: (readonly string[])[] = [];
    trustSystem({
      rootCertificates: [],
      getCACertificates: (from) => (from === 'default' ? ['a', 'b'] : ['b', 'c']),
      setDefaultCACertificates: (certificates) => void trusted.push(certificates),
    });
    assert.deepEqual(trusted, [['a', 'b', 'c']]);
  });

  it('does nothing with a Node that can’t', () => {
    assert.doesNotThrow(() => trustSystem({ rootCertificates: [] }));
  });
});
