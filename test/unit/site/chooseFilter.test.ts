import assert from 'node:assert/strict';
import type { AskFilter } from '../../../src/shared/askFilter';
import { chooseFilter, type FilterValues } from '../../../src/site/chooseFilter';
import { ScriptedDocsUi } from '../../fakes/scriptedDocsUi';

/** Runs the command with such answers, and returns the filter after it. */
async function choose(
  answers: readonly (string | undefined)[],
  { filter = {}, values }: { filter?: AskFilter; values?: FilterValues } = {},
) {
  const ui = new ScriptedDocsUi();
  ui.answer(...answers);
  const site = {
    filter,
    setFilter(next: AskFilter) {
      this.filter = next;
    },
  };
  const hasChanged = await chooseFilter({ ui, site, offered: () => Promise.resolve(values) });
  return { ui, filter: site.filter, hasChanged };
}

const values: FilterValues = {
  versions: ['v2', 'v1'],
  languages: [],
  groups: ['admins', 'partners'],
};

describe('chooseFilter', () => {
  it('offers the versions that the pages have, and leaves out what no page has', async () => {
    const { ui, filter, hasChanged } = await choose(['Version', 'v2'], { values });
    assert.deepEqual(filter, { version: 'v2' });
    assert.equal(hasChanged, true);
    const [parts, versions] = ui.lists;
    assert.deepEqual(
      parts?.map(({ label }) => label),
      ['Version', 'Groups'],
    );
    assert.deepEqual(
      versions?.map(({ label }) => label),
      ['All Versions', 'v2', 'v1'],
    );
  });

  it('removes one part and keeps the others', async () => {
    const filter = { version: 'v2', language: 'de' };
    const chosen = await choose(['Version', 'All Versions'], { filter, values });
    assert.deepEqual(chosen.filter, { language: 'de' });
    assert.deepEqual((await choose(['Remove Filter'], { filter, values })).filter, {});
  });

  // Shows faults.md O14.
  it('lists a value that no page has any more, so that it can be removed', async () => {
    const { ui } = await choose(['Version', undefined], { filter: { version: 'v0' }, values });
    assert.deepEqual(
      ui.lists[1]?.map(({ label }) => label),
      ['All Versions', 'v2', 'v1', 'v0'],
    );
  });

  it('turns groups on and off until the list is closed', async () => {
    const { filter } = await choose(['Groups', 'admins', 'partners', 'admins', undefined], {
      values,
    });
    assert.deepEqual(filter, { groups: ['partners'] });
    const off = await choose(['Groups', 'partners', undefined], { filter, values });
    assert.deepEqual(off.filter, {});
    assert.equal((await choose(['Groups', undefined], { values })).hasChanged, false);
  });

  it('takes any value if the service doesn’t tell which there are', async () => {
    assert.deepEqual((await choose(['Version', ' 2.0 '])).filter, { version: '2.0' });
    assert.deepEqual((await choose(['Groups', 'a, ,b,a'])).filter, { groups: ['a', 'b'] });
    const filter = { language: 'de', groups: ['a'] };
    assert.deepEqual((await choose(['Language', ' '], { filter })).filter, { groups: ['a'] });
    assert.deepEqual((await choose(['Groups', ''], { filter })).filter, { language: 'de' });
  });

  it('changes nothing if the reader cancels', async () => {
    const filter = { version: 'v2' };
    for (const answers of [[undefined], ['Version', undefined]]) {
      for (const offered of [values, undefined]) {
        const chosen = await choose(answers, {
          filter,
          values: offered,
        });
        assert.equal(chosen.filter, filter);
        assert.equal(chosen.hasChanged, false);
      }
    }
  });

  it('says so if the docs have nothing to filter by', async () => {
    const none = { versions: [], languages: [], groups: [] };
    const { ui, hasChanged } = await choose([], { values: none });
    assert.equal(hasChanged, false);
    assert.match(ui.shown.at(-1)?.text ?? '', /have no versions, languages or groups/);
  });
});
