import assert from 'node:assert/strict';
import { VersionUses } from '../../../src/host/siteVersion';

describe('the uses of a version', () => {
  it('end with the last request, however often each says so', async () => {
    const uses = new VersionUses();
    await uses.whenUnused();
    const [first, second] = [uses.hold(), uses.hold()];
    let isUnused = false;
    const unused = uses.whenUnused().then(() => (isUnused = true));
    first();
    first();
    await Promise.resolve();
    assert.equal(isUnused, false);
    second();
    await unused;
    await uses.whenUnused();
  });
});
