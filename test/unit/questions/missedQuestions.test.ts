import assert from 'node:assert/strict';
import { systemClock } from '../../../src/common/clock';
import { missedQuestions } from '../../../src/questions/missedQuestions';
import { FakeFetch } from '../../fakes/fakeFetch';

const site = { baseUrl: 'https://docs.example.com/x', domain: 'payments' };
const { signal } = new AbortController();

describe('missedQuestions', () => {
  it('reads those of the site with the admin key, the last week and the most asked first', async () => {
    const misses = [
      { domain: 'payments', week: '2026-W47', question: 'Old?', count: 9 },
      { domain: 'payments', week: '2026-W48', question: 'Rare?', count: 1 },
      { domain: 'payments', week: '2026-W48', question: '\u202eOften?\n', count: 3 },
      { domain: 'payments', week: 'today', question: 'Damaged?', count: 3 },
      { domain: 'payments', week: '2026-W48', question: ' ', count: 3 },
    ];
    const fake = new FakeFetch(() => Response.json({ misses }));
    const ports = { fetch: fake.fetch, clock: systemClock };
    assert.deepEqual(await missedQuestions(site, 'docs_admin', ports, signal), [
      { week: '2026-W48', question: 'Often?', count: 3 },
      { week: '2026-W48', question: 'Rare?', count: 1 },
      { week: '2026-W47', question: 'Old?', count: 9 },
    ]);
    const { url, headers, init } = fake.request(0);
    assert.equal(url, 'https://docs.example.com/x/service/v1/misses?site=payments');
    assert.equal(headers.get('authorization'), 'Bearer docs_admin');
    assert.equal(init.redirect, 'manual');
  });
});
