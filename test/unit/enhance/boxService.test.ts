import assert from 'node:assert/strict';
import { plainTranslate } from '../../../src/common/errors';
import { parseBoxService } from '../../../src/enhance/boxService';

const key = 'acme_dsc_0a1b2c3d';
const read = (service: string, site?: string, given: string | undefined = key) =>
  parseBoxService({ service, site, key: given }, plainTranslate);

describe('the service of an enhanced site', () => {
  for (const [service, site, baseUrl, domain] of [
    ['https://host.test/prefix/', 'acme', 'https://host.test/prefix', 'acme'],
    ['https://host.test/v2/assistant/acme/message', undefined, 'https://host.test', 'acme'],
    ['https://host.test', 'https://acme.docs.test/start', 'https://host.test', 'acme'],
    ['http://127.0.0.1:7001', 'acme', 'http://127.0.0.1:7001', 'acme'],
    ['/_docs-assistant/service', 'acme', '/_docs-assistant/service', 'acme'],
    ['/service/v2/assistant/acme/message', undefined, '/service', 'acme'],
    ['/', 'acme', '', 'acme'],
  ] as const) {
    it(`is read from ${service} and ${site ?? 'no site'}`, () => {
      assert.deepEqual(read(service, site), { ok: true, value: { baseUrl, domain, key } });
    });
  }

  for (const [name, typed, sentence] of [
    ['a URL without a scheme', ['host.test', 'acme'], /must start with https/],
    ['http to another machine', ['http://host.test', 'acme'], /unencrypted/],
    ['a path that is another host', ['//host.test/x', 'acme'], /is not a path/],
    ['a path with a query', ['/service?x=1', 'acme'], /query/],
    ['a missing site', ['https://host.test'], /Name the docs site/],
    ['a missing key', ['https://host.test', 'acme', ''], /Enter the assistant key/],
    ['an admin key', ['https://host.test', 'acme', 'acme_0a1b2c3d4e5f'], /looks like an admin key/],
    ['a user key', ['https://host.test', 'acme', 'acme_us_0a1b2c3d'], /looks like a user key/],
  ] as const) {
    it(`is refused with ${name}`, () => {
      const [service, site, given] = typed;
      const parsed = read(service, site, given);
      assert.match(parsed.ok ? '' : parsed.message, sentence);
      assert.ok(parsed.ok || !parsed.message.includes('0a1b2c3d'));
    });
  }
});
