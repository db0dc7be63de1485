import assert from 'node:assert/strict';
import {
  featureState,
  isConfigurable,
  type DeploymentType,
  type Feature,
  type FeatureSwitches,
} from '../../../src/staticExport/featureAvailability';
import { availability } from '../../../src/staticExport/featureSentences';

const on: FeatureSwitches = { search: true, assistant: true, analytics: true, apiPlayground: true };
const off: FeatureSwitches = {
  search: false,
  assistant: false,
  analytics: false,
  apiPlayground: false,
};
const types: readonly DeploymentType[] = ['cloud', 'clientHosted', 'airGapped'];

/** The table of platform-api.md § What the service does, 6, as it is printed there. */
const documented: readonly (readonly [Feature, ...string[]])[] = [
  ['search', 'available', 'Configurable', 'unavailable'],
  ['assistant', 'available', 'Configurable', 'unavailable'],
  ['analytics', 'available', 'Configurable', 'unavailable'],
  ['apiPlayground', 'available', 'available', 'Configurable'],
  ['staticExport', 'available', 'available', 'available'],
];

describe('featureState', () => {
  for (const [feature, ...cells] of documented) {
    for (const [index, type] of types.entries()) {
      const cell = cells[index];
      it(`has ${feature} of ${type} as documented: ${cell}`, () => {
        const states = [featureState(feature, type, on), featureState(feature, type, off)];
        assert.equal(isConfigurable(feature, type), cell === 'Configurable');
        assert.deepEqual(states, cell === 'Configurable' ? ['available', 'off'] : [cell, cell]);
      });
    }
  }
});

describe('availability', () => {
  it('lists every feature in the order of the documented table', () => {
    for (const type of types) {
      assert.deepEqual(
        availability(type, on).map(({ feature }) => feature),
        documented.map(([feature]) => feature),
      );
    }
  });

  it('says the reason and an alternative of all that is not there, and of nothing else', () => {
    for (const type of types) {
      for (const switches of [on, off]) {
        for (const row of availability(type, switches)) {
          const isThere = row.state === 'available';
          assert.equal(row.alternative === undefined, isThere, `${type} ${row.feature}`);
          assert.equal(row.reason === undefined, isThere && !row.isConfigurable);
        }
      }
    }
  });

  it('offers the local docs service where there is no assistant', () => {
    const [, assistant] = availability('airGapped', on);
    assert.match(assistant?.reason ?? '', /no outbound network/);
    assert.match(assistant?.alternative ?? '', /local docs service answers questions/);
  });
});
