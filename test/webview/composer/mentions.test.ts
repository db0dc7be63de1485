import assert from 'node:assert/strict';
import type { MentionView, ViewRequests } from '../../../src/shared/protocol';
import { aView } from '../thread/conversations';
import type { FakeHost } from '../fakeHost';
import { useViewTester, type OpenView } from '../harness';

const kinds: readonly MentionView[] = [
  aMention('selection', { label: '#selection', detail: 'start.ts, lines 3–9' }),
  aMention('file', { label: '#file', detail: 'Choose a file', isGroup: true }),
  aMention('problems', { label: '#problems', detail: '2 in start.ts' }),
  aMention('terminal', { label: '#terminal', detail: 'No terminal is open', isUnavailable: true }),
];

const files = ['src/start.ts', 'src/stop.ts', 'docs/start.md'].map((path, index) =>
  aMention('file', {
    id: `file-${index}`,
    label: path.split('/')[1] ?? '',
    detail: path.split('/')[0] ?? '',
  }),
);

describe('completing #… in the chat view', () => {
  const tester = useViewTester();

  const open = (prepare: (host: FakeHost) => void = () => undefined) =>
    tester.open(aView(), {
      prepare: (host) => {
        host.answers['mention-list'] = ({ kind, query }) => ({
          mentions: kind === 'file' ? files.filter(({ label }) => label.includes(query)) : kinds,
        });
        prepare(host);
      },
    });

  const type = async (view: OpenView, text: string): Promise<void> => {
    await view.composer.focus();
    await view.page.keyboard.type(text);
  };

  const added = async (view: OpenView, mentionId: string): Promise<void> => {
    await view.until(
      () => view.host.requestsFor('mention-add').some((params) => params.mentionId === mentionId),
      `${mentionId} attached`,
    );
  };

  it('offers what can be attached at a # and narrows it as one types', async () => {
    const view = await open();
    await type(view, 'Explain #');
    const list = view.page.getByRole('listbox', { name: 'Attach' });
    await list.waitFor();
    assert.deepEqual(await optionNames(view), ['#selection', '#file', '#problems', '#terminal']);
    assert.match(await list.innerText(), /start\.ts, lines 3–9/);
    await type(view, 'p');
    await view.until(async () => (await optionNames(view)).length === 1, 'one option');
    await type(view, 'x');
    await list.waitFor({ state: 'hidden' });
    assert.equal(view.host.requestsFor('mention-list').length, 1);
  });

  it('asks once for the attachable kinds, however fast one types', async () => {
    const answers: (() => void)[] = [];
    const view = await open((host) => {
      host.answers['mention-list'] = () =>
        new Promise<ViewRequests['mention-list']['result']>((resolve) => {
          answers.push(() => resolve({ mentions: kinds }));
        });
    });
    await type(view, '#pro');
    await view.requested('mention-list');
    await view.drawn();
    for (const answer of answers) answer();
    await view.page.getByRole('option', { name: '#problems' }).waitFor();
    assert.equal(view.host.requestsFor('mention-list').length, 1);
    // A list that was closed before its answer came is asked for again.
    await view.composer.fill('');
    await type(view, '#');
    await view.requested('mention-list', 2);
    await view.page.keyboard.press('Backspace');
    await type(view, '#');
    await view.requested('mention-list', 3);
    answers.at(-1)?.();
    await view.page.getByRole('option', { name: '#selection' }).waitFor();
  });

  it('keeps the option that was gone to while one types on', async () => {
    const view = await open((host) => {
      const packages = aMention('package', { label: '#package', isGroup: true });
      host.answers['mention-list'] = () => ({ mentions: [packages, ...kinds] });
    });
    await type(view, '#');
    await view.page.getByRole('option', { name: '#package' }).waitFor();
    for (let step = 0; step < 3; step++) await view.page.keyboard.press('ArrowDown');
    await type(view, 'p');
    await view.until(async () => (await optionNames(view)).length === 2, 'two options');
    await view.page.keyboard.press('Enter');
    await added(view, 'problems');
  });

  it('attaches the active item on Enter, removes its word, and sends nothing', async () => {
    const view = await open();
    await type(view, 'Explain  please');
    for (let left = 7; left > 0; left--) await view.page.keyboard.press('ArrowLeft');
    await type(view, '#se');
    await view.page.getByRole('option', { name: '#selection' }).waitFor();
    await view.page.keyboard.press('Enter');
    await added(view, 'selection');
    assert.equal(await view.composer.inputValue(), 'Explain please');
    await type(view, 'it, ');
    assert.equal(await view.composer.inputValue(), 'Explain it, please');
    assert.deepEqual(view.host.requestsFor('question-submit'), []);
  });

  it('leaves what was typed before to Ctrl+Z, and the chosen word', async () => {
    const view = await open();
    await type(view, 'Explain #se');
    await view.page.getByRole('option', { name: '#selection' }).waitFor();
    await view.page.keyboard.press('Enter');
    await added(view, 'selection');
    assert.equal(await view.composer.inputValue(), 'Explain ');
    await view.page.keyboard.press('Control+z');
    assert.equal(await view.composer.inputValue(), 'Explain #se');
    await view.stateHolds('Explain #se');
  });

  it('goes through the list with the arrows, around its ends, and leaves the focus in the text', async () => {
    const view = await open();
    await type(view, '#');
    await view.page.getByRole('listbox').waitFor();
    const selected = () => view.page.locator('[role="option"][aria-selected="true"]').innerText();
    assert.match(await selected(), /#selection/);
    await view.page.keyboard.press('ArrowUp');
    assert.match(await selected(), /#terminal/);
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('ArrowDown');
    await view.page.keyboard.press('ArrowDown');
    assert.match(await selected(), /#problems/);
    await view.page.keyboard.press('Tab');
    await added(view, 'problems');
    assert.equal(await view.composer.inputValue(), '');
    assert.equal(await isFocused(view), true);
  });

  it('continues from #file to the workspace’s files by a part of their name', async () => {
    const view = await open();
    await type(view, 'Explain #fi');
    await view.page.getByRole('option', { name: '#file' }).waitFor();
    await view.page.keyboard.press('Enter');
    assert.equal(await view.composer.inputValue(), 'Explain #file:');
    await view.page.getByRole('option', { name: 'stop.ts' }).waitFor();
    await type(view, 'start.m');
    await view.until(async () => (await optionNames(view)).join() === 'start.md', 'start.md alone');
    await view.page.keyboard.press('Enter');
    await added(view, 'file-2');
    assert.equal(await view.composer.inputValue(), 'Explain ');
  });

  it('continues from #package to the installed packages, whose choice becomes a chip', async () => {
    const view = await open((host) => {
      host.answers['mention-list'] = ({ kind, query }) => ({
        mentions:
          kind === 'package'
            ? ['next', '@acme/next'].flatMap((label) =>
                label.includes(query)
                  ? [aMention('package', { id: label, label, detail: '16.4.0' })]
                  : [],
              )
            : [...kinds, aMention('package', { label: '#package', isGroup: true })],
      });
    });
    await type(view, 'How? #pa');
    await view.page.getByRole('option', { name: '#package' }).waitFor();
    await view.page.keyboard.press('Enter');
    assert.equal(await view.composer.inputValue(), 'How? #package:');
    await type(view, '@acme/n');
    await view.until(async () => (await optionNames(view)).join() === '@acme/next', 'one package');
    await view.page.keyboard.press('Enter');
    await added(view, '@acme/next');
    assert.equal(await view.composer.inputValue(), 'How? ');
  });

  it('searches files after “#file ” as well, and leaves Enter alone where nothing is found', async () => {
    const view = await open();
    await type(view, 'See #file sto');
    await view.page.getByRole('option', { name: 'stop.ts' }).waitFor();
    await type(view, 'rage');
    await view.page.getByText('No suggestions').first().waitFor();
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.requested('question-submit'), [{ text: 'See #file storage' }]);
  });

  it('shows the results of the newest search, whichever answer comes last', async () => {
    const waiting = new Map<string, () => void>();
    const view = await open((host) => {
      host.answers['mention-list'] = ({ query }) =>
        new Promise<ViewRequests['mention-list']['result']>((resolve) => {
          const mentions = [aMention('file', { id: query, label: `found-${query}` })];
          waiting.set(query, () => resolve({ mentions }));
        });
    });
    await type(view, '#file:a');
    await view.until(() => waiting.has('a'), 'the first search');
    await type(view, 'b');
    await view.until(() => waiting.has('ab'), 'the second search');
    waiting.get('ab')?.();
    await view.page.getByRole('option', { name: 'found-ab' }).waitFor();
    waiting.get('a')?.();
    await view.drawn();
    assert.deepEqual(await optionNames(view), ['found-ab']);
  });

  it('shows what there is nothing of, with the reason, and does not attach it', async () => {
    const view = await open();
    await type(view, '#term');
    const option = view.page.getByRole('option', { name: '#terminal' });
    await option.waitFor();
    assert.equal(await option.getAttribute('aria-disabled'), 'true');
    assert.match(await option.innerText(), /No terminal is open/);
    await view.page.keyboard.press('Enter');
    await option.click({ force: true });
    assert.equal(await view.composer.inputValue(), '#term');
    assert.deepEqual(view.host.requestsFor('mention-add'), []);
    assert.deepEqual(view.host.requestsFor('question-submit'), []);
  });

  it('closes with Escape until another # is typed, and leaves the text', async () => {
    const view = await open();
    await type(view, '#');
    const list = view.page.getByRole('listbox');
    await list.waitFor();
    await view.page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await type(view, 's');
    assert.equal(await list.isVisible(), false);
    await type(view, 'o #');
    await list.waitFor();
    assert.equal(await view.composer.inputValue(), '#so #');
  });

  it('attaches by pointer too, and closes when the focus leaves', async () => {
    const view = await open();
    await type(view, '#');
    await view.page.getByRole('option', { name: '#problems' }).click();
    await added(view, 'problems');
    assert.equal(await isFocused(view), true);
    await type(view, '#');
    await view.page.getByRole('listbox').waitFor();
    await view.button('Attach Files…').focus();
    await view.page.getByRole('listbox').waitFor({ state: 'hidden' });
  });

  it('leaves headings, numbers, colors and unknown words as they are', async () => {
    const view = await open();
    for (const text of ['# Title', '#12', 'a#b', '##', '#unknown', 'page#file']) {
      await view.composer.fill('');
      await type(view, text);
      await view.drawn();
      assert.equal(await view.page.getByRole('listbox').isVisible(), false, text);
    }
    await view.composer.fill('#unknown');
    await view.page.keyboard.press('Enter');
    assert.deepEqual(await view.requested('question-submit'), [{ text: '#unknown' }]);
  });

  it('tells a screen reader of the list, its length and the active option', async () => {
    const view = await open();
    assert.equal(await view.composer.getAttribute('aria-autocomplete'), 'list');
    await type(view, '#');
    const status = view.page.locator('.composer [role="status"]');
    await view.until(
      async () =>
        (await status.innerText()) === '4 suggestions. #selection, start.ts, lines 3–9, 1 of 4',
      'the announcement',
    );
    const active = () =>
      view.composer.evaluate((control) => control.ariaActiveDescendantElement?.textContent);
    assert.match((await active()) ?? '', /#selection/);
    await view.page.keyboard.press('ArrowDown');
    assert.match((await active()) ?? '', /#file/);
    await view.page.keyboard.press('Escape');
    assert.equal(await active(), undefined);
  });

  it('stays closed for a draft that comes back while nobody writes', async () => {
    const view = await tester.open(aView(), { state: { schemaVersion: 1, draft: 'Explain #' } });
    await view.drawn();
    assert.equal(await view.composer.inputValue(), 'Explain #');
    assert.deepEqual(view.host.requestsFor('mention-list'), []);
  });

  it('shows hostile names of files as text', async () => {
    const view = await open((host) => {
      const label = '<img src=x onerror=alert(1)>\u202ets.exe';
      host.answers['mention-list'] = () => ({ mentions: [aMention('file', { label })] });
    });
    await type(view, '#file:');
    const option = view.page.getByRole('option');
    await option.waitFor();
    assert.match(await option.innerText(), /<img src=x onerror=alert\(1\)>ts\.exe/);
    assert.equal(await view.page.locator('.mention-menu img').count(), 0);
  });
});

function aMention(
  kind: MentionView['kind'],
  given: Partial<MentionView> & { readonly label: string },
): MentionView {
  return { id: kind, kind, detail: '', isGroup: false, ...given };
}

function optionNames(view: OpenView): Promise<string[]> {
  return view.page.locator('[role="option"] .mention-label').allInnerTexts();
}

function isFocused(view: OpenView): Promise<boolean> {
  return view.page.evaluate(() => document.activeElement?.closest('.composer') !== null);
}
