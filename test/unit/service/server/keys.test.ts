import assert from 'node:assert/strict';
import { keyKind } from '../../../../src/site/siteInput';
import {
  adminKeyProblem,
  localAdminKeyPattern,
  localKeyPattern,
  newAdminKey,
  newAssistantKey,
} from '../../../../src/service/server/keys';

const adminKey = 'local_admin_0123456789';

describe('adminKeyProblem', () => {
  it('finds no problem with the key itself, however the scheme is written', () => {
    assert.equal(adminKeyProblem(`Bearer ${adminKey}`, adminKey), undefined);
    assert.equal(adminKeyProblem(`bearer   ${adminKey}`, adminKey), undefined);
  });

  for (const [given, sentence] of [
    [undefined, /^Send the admin key as/],
    ['', /^Send the admin key as/],
    ['Bearer', /^Send the admin key as/],
    [adminKey, /^Send the admin key as/],
    [`Bearer ${adminKey}x`, /^This is not the admin key of this service/],
    [`Bearer ${adminKey.slice(0, -1)}`, /^This is not the admin key of this service/],
    ['Bearer acme_dsc_0123456789', /assistant key, which is public/],
    ['Bearer acme_us_0123456789', /user key/],
    ['Bearer acme_0123456789', /^This is not the admin key of this service/],
    ['Bearer 0123', /^This is not an admin key/],
  ] as const) {
    it(`describes ${given ?? 'a missing header'}`, () => {
      assert.match(adminKeyProblem(given, adminKey) ?? '', sentence);
    });
  }
});

describe('a new assistant key', () => {
  it('is one for whoever asks for an assistant key, whatever its random part is', () => {
    const keys = Array.from({ length: 500 }, newAssistantKey);
    for (const key of keys) {
      assert.match(key, localKeyPattern);
      assert.deepEqual(keyKind(key), { ok: true, kind: 'assistant', key });
    }
    assert.equal(new Set(keys).size, keys.length);
  });
});

describe('localAdminKeyPattern', () => {
  it('matches generated keys', () => {
    const keys = Array.from({ length: 50 }, newAdminKey);
    assert.ok(keys.every((key) => localAdminKeyPattern.test(key)));
    assert.equal(new Set(keys).size, keys.length);
  });

  for (const key of ['local_dsc_0123456789', 'local_us_0123456789', 'local_short', 'x', '']) {
    it(`does not match “${key}”`, () => {
      assert.doesNotMatch(key, localAdminKeyPattern);
    });
  }
});
