import assert from 'node:assert/strict';
import { availability } from '../../../src/site/features';
import {
  featureState,
  hasSwitch,
  type DeploymentType,
  type Feature,
} from '../../../src/site/featureAvailability';

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
        const states = [true, false].map((isAssistantOn) =>
          featureState(feature, { type, isAssistantOn }),
        );
        const isSwitched = feature === 'assistant' && cell === 'Configurable';
        assert.equal(hasSwitch(feature, type), isSwitched);
        const state = cell?.toLowerCase();
        assert.deepEqual(states, isSwitched ? ['available', 'off'] : [state, state]);
      });
    }
  }
});

describe('availability', () => {
  it('lists every feature in the order of the documented table', () => {
    for (const type of types) {
      assert.deepEqual(
        availability({ type, isAssistantOn: true }).map(({ feature }) => feature),
        documented.map(([feature]) => feature),
      );
    }
  });

  it('gives a reason and an alternative only for features that may be missing', () => {
    for (const type of types) {
      for (const isAssistantOn of [true, false]) {
        for (const row of availability({ type, isAssistantOn })) {
          const isThere = row.state === 'available';
          assert.equal(row.alternative === undefined, isThere, `${type} ${row.feature}`);
          assert.equal(row.reason === undefined, isThere && !row.hasSwitch);
        }
      }
    }
  });

  it('offers the local docs service if there is no assistant', () => {
    const [, assistant] = availability({ type: 'airGapped', isAssistantOn: true });
    assert.match(assistant?.reason ?? '', /no outbound network/);
    assert.match(assistant?.alternative ?? '', /local docs service can answer/);
  });
});
