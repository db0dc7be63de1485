import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../src/common/errors';
import {
  SecretKeyStore,
  type Secrets,
  SecretThreadKeyStore,
  SeenSecrets,
} from '../../../src/site/keyStore';

class MemorySecrets implements Secrets {
  readonly values = new Map<string, string>();
  get = (key: string) => Promise.resolve(this.values.get(key));
  store = (key: string, value: string) => Promise.resolve(void this.values.set(key, value));
  delete = (key: string) => Promise.resolve(void this.values.delete(key));
}

const origin = 'https://api.example.com';

describe('SecretKeyStore', () => {
  it('returns a key only for the purpose and the origin that it was saved for', async () => {
    const keys = new SecretKeyStore(new MemorySecrets(), new SeenSecrets());
    await keys.save('assistant', origin, 'acme_dsc_1');
    assert.equal(await keys.read('assistant', origin), 'acme_dsc_1');
  });

  for (const [what, purpose, other] of [
    ['the other purpose', 'admin', origin],
    ['another host', 'assistant', 'https://api.example.com.evil.example'],
    ['another port', 'assistant', 'https://api.example.com:8443'],
    ['another scheme', 'assistant', 'http://api.example.com'],
    ['a host with a dot at its end', 'assistant', 'https://api.example.com.'],
  ] as const) {
    it(`keeps a key from ${what}`, async () => {
      const keys = new SecretKeyStore(new MemorySecrets(), new SeenSecrets());
      await keys.save('assistant', origin, 'acme_dsc_1');
      assert.equal(await keys.read(purpose, other), undefined);
    });
  }

  it('deletes a key', async () => {
    const secrets = new MemorySecrets();
    const keys = new SecretKeyStore(secrets, new SeenSecrets());
    await keys.save('assistant', origin, 'acme_dsc_1');
    await keys.forget('assistant', origin);
    assert.equal(secrets.values.size, 0);
  });

  it('remembers the keys that it has seen, so that the log can redact them', async () => {
    const secrets = new MemorySecrets();
    await new SecretKeyStore(secrets, new SeenSecrets()).save('assistant', origin, 'acme_dsc_1');
    const seen = new SeenSecrets();
    await new SecretKeyStore(secrets, seen).read('assistant', origin);
    assert.deepEqual(seen.values, ['acme_dsc_1']);
  });

  for (const access of ['read', 'save', 'forget'] as const) {
    // Shows faults.md E11.
    it(`reports failing secret storage on ${access}`, async () => {
      const fail = () => Promise.reject(new Error('no keyring'));
      const broken = { get: fail, store: fail, delete: fail };
      const keys = new SecretKeyStore(broken, new SeenSecrets());
      await assert.rejects(
        keys[access]('assistant', origin, 'acme_dsc_1'),
        (error) => error instanceof DocsAssistantError && error.code === 'secret-store-failed',
      );
    });
  }
});

describe('SecretThreadKeyStore', () => {
  it('separates the keys of threads', async () => {
    const keys = new SecretThreadKeyStore(new MemorySecrets(), new SeenSecrets());
    await keys.save('one', 'secret-1');
    await keys.save('two', 'secret-2');
    await keys.forget('one');
    assert.deepEqual([await keys.read('one'), await keys.read('two')], [undefined, 'secret-2']);
  });

  it('remembers the keys that it has seen, so that the log can redact them', async () => {
    const secrets = new MemorySecrets();
    const [saving, reading] = [new SeenSecrets(), new SeenSecrets()];
    await new SecretThreadKeyStore(secrets, saving).save('one', 'secret-1');
    await new SecretThreadKeyStore(secrets, reading).read('one');
    assert.deepEqual([saving.values, reading.values], [['secret-1'], ['secret-1']]);
  });
});
