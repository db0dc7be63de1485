import assert from 'node:assert/strict';
import { earlierSite } from '../../../src/site/activeSite';
import { aThread } from '../../builders/asking';

const now = { site: { id: 'site now', label: 'Now' }, localLabel: undefined };
const of = (origin: string): ReturnType<typeof aThread> =>
  aThread({
    serviceThread: { origin, domain: 'docs.example', threadId: 's1', hasKey: false },
  });

describe('earlierSite', () => {
  it('is the site that the thread was asked at', () => {
    assert.deepEqual(earlierSite(of('https://api.example:8443'), now), {
      id: 'https://api.example:8443 docs.example',
      label: 'docs.example · api.example:8443',
    });
  });

  it('is the local docs for a service on this machine, whatever its port was', () => {
    const local = { ...now, localLabel: 'Sample Docs' };
    const expected = { id: 'local Sample Docs', label: 'Sample Docs' };
    assert.deepEqual(earlierSite(of('http://127.0.0.1:43127'), local), expected);
    assert.deepEqual(earlierSite(of('http://127.0.0.1:43127'), now), now.site);
  });

  it('is the current site for a thread without a readable service', () => {
    assert.deepEqual(earlierSite(aThread(), now), now.site);
    assert.deepEqual(earlierSite(of('no address'), now), now.site);
  });
});
