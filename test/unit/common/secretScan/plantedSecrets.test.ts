import assert from 'node:assert/strict';
import { redactedText } from '../../../../src/common/secretScan/finding';
import { scanText } from '../../../../src/common/secretScan/scanText';
import { lookAlikes, plantedSecrets } from './plantedSecrets';

describe('forty planted secrets and forty look-alikes', () => {
  // Shows faults.md P5.
  it('are told apart in at least 95 of 100 cases', async () => {
    const missed: string[] = [];
    for (const { name, text, secret = '' } of plantedSecrets) {
      const sent = redactedText(text, await scanText(text));
      if (sent.includes(secret.slice(0, 12)) || sent.includes(secret.slice(-8))) missed.push(name);
    }
    const marked: string[] = [];
    for (const { name, text } of lookAlikes) {
      const labels = (await scanText(text)).map(({ label }) => label);
      if (labels.length > 0) marked.push(`${name} (${labels.join()})`);
    }
    process.stdout.write(`${table(missed, marked)}\n`);
    assert.equal(plantedSecrets.length, 40);
    assert.equal(lookAlikes.length, 40);
    assert.ok(missed.length <= 2, `missed: ${missed.join()}`);
    assert.ok(marked.length <= 2, `marked: ${marked.join()}`);
  });
});

function table(missed: readonly string[], marked: readonly string[]): string {
  const share = (wrong: number): string => `${((1 - wrong / 40) * 100).toFixed(1)} %`;
  return [
    '      secrets      found      missed   recall',
    `      40           ${40 - missed.length}         ${missed.length}        ${share(missed.length)}   ${missed.join(', ')}`,
    '      look-alikes  unmarked   marked   specificity',
    `      40           ${40 - marked.length}         ${marked.length}        ${share(marked.length)}   ${marked.join(', ')}`,
  ].join('\n');
}
