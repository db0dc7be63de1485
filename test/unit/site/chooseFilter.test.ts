import assert from 'node:assert/strict';
import type { PickRow } from '../../../src/common/windowUi';
import type { AskFilter } from '../../../src/shared/askFilter';
import type { InstalledSiteVersion } from '../../../src/site/activeSite';
import { chooseFilter, type FilterValues } from '../../../src/site/chooseFilter';
import { settled } from '../../fakes/fakeClock';
import { ScriptedUi } from '../../fakes/scriptedUi';

interface GivenFilter {
  readonly filter?: AskFilter;
  readonly values?: FilterValues;
  readonly installed?: Pick<InstalledSiteVersion, 'installed' | 'preselected'>;
}

/** Runs the command with such answers, and returns the filter after it. */
async function choose(
  answers: readonly (string | undefined)[],
  { filter = {}, values, installed }: GivenFilter = {},
) {
  const ui = new ScriptedUi();
  ui.answer(...answers);
  const site = {
    view: { isConfigured: true },
    askSettings: {},
    filter,
    installed,
    setFilter(next: AskFilter) {
      this.filter = next;
    },
  };
  const hasChanged = await chooseFilter({
    ui,
    site,
    resumeDocs: () => Promise.resolve(),
    offered: () => Promise.resolve(values),
  });
  return { ui, filter: site.filter, hasChanged };
}

const values: FilterValues = {
  versions: ['v2', 'v1'],
  languages: [],
  groups: ['admins', 'partners'],
};

/** Returns the label and the description of each row. */
const rowTexts = (rows: readonly PickRow<unknown, unknown>[]): readonly string[] =>
  rows.map((row) => `${row.label} ${'description' in row ? (row.description ?? '') : ''}`.trim());

describe('chooseFilter', () => {
  it('waits for docs that are being served again, and offers their values', async () => {
    const ui = new ScriptedUi();
    ui.answer('Version', 'v2');
    let [isServed, filter]: [boolean, AskFilter] = [false, {}];
    const site = {
      view: {
        get isConfigured() {
          return isServed;
        },
      },
      askSettings: {},
      filter,
      setFilter: (next: AskFilter) => (filter = next),
    };
    const resumeDocs = async () => {
      await settled();
      isServed = true;
    };
    const offered = () => Promise.resolve(isServed ? values : undefined);
    assert.equal(await chooseFilter({ ui, site, resumeDocs, offered }), true);
    assert.deepEqual(filter, { version: 'v2' });
  });

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

  it('names the installed package beside the version that is for it', async () => {
    const installed = { installed: { name: 'next', version: '2.4.1' }, preselected: 'v2' };
    const given = { filter: { version: 'v2' }, values, installed };
    const { ui } = await choose(['Version', undefined], given);
    assert.deepEqual(ui.lists.map(rowTexts), [
      ['Version v2, for the installed next@2.4.1', 'Groups all groups', 'Remove Filter'],
      ['All Versions', 'v2 for the installed next@2.4.1', 'v1'],
    ]);
    const other = await choose([undefined], { filter: { version: 'v1' }, values, installed });
    assert.equal(other.ui.lists.map(rowTexts)[0]?.[0], 'Version v1');
  });

  it('lists known versions, and asks for what else the service doesn’t tell', async () => {
    const known = { values: { versions: ['v2'] } };
    assert.deepEqual((await choose(['Version', 'v2'], known)).filter, { version: 'v2' });
    assert.deepEqual((await choose(['Language', ' de '], known)).filter, { language: 'de' });
    assert.deepEqual((await choose(['Groups', 'a'], known)).filter, { groups: ['a'] });
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
