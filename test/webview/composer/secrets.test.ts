import assert from 'node:assert/strict';
import type { HeldContent } from '../../../src/shared/protocol';
import { aContextItem, aQuestion, aReply, aView } from '../thread/conversations';
import type { FakeHost, HostView } from '../fakeHost';
import { useViewTester, type OpenView } from '../harness';

const item = aContextItem({ secrets: { state: 'found', kinds: ['GitHub token', 'password'] } });
const held: readonly HeldContent[] = [
  { id: item.id, name: item.path ?? item.label, kinds: ['GitHub token', 'password'] },
  { id: 'file-1', name: 'prod.cfg', kinds: ['private key'] },
  { id: 'question', name: 'Your question', kinds: ['password'] },
];

const withSecrets = (): HostView => aView({ contextItems: [item] });

/** Lets the host hold questions back until each content is decided about. */
function holdsBack(host: FakeHost): void {
  const waiting = new Set(held.map(({ id }) => id));
  host.answers['secret-choose'] = ({ itemId }) => {
    waiting.delete(itemId);
    return null;
  };
  host.answers['question-submit'] = ({ secrets }) => {
    if (secrets) waiting.delete('question');
    const left = held.filter(({ id }) => waiting.has(id));
    return left.length > 0 ? { held: left } : { messageId: 'reply' };
  };
}

async function ask(view: OpenView, question: string): Promise<void> {
  await view.composer.fill(question);
  await view.composer.press('Enter');
  await view.page.getByRole('alertdialog').waitFor();
}

describe('secrets in what waits to be sent', () => {
  const tester = useViewTester();

  it('are marked on their chip with an icon and a text that is read out', async () => {
    const view = await tester.open(withSecrets());
    const mark = view.page.locator('.composer .chip .chip-secret');
    assert.match(await mark.innerText(), /Possible secret/);
    assert.equal(await mark.getAttribute('title'), 'GitHub token, password');
    assert.equal(await mark.locator('.codicon-warning').count(), 1);
    assert.match((await mark.textContent()) ?? '', /GitHub token, password/);
    const [allowed, redacted] = (['allowed', 'redacted'] as const).map((state) => ({
      ...item,
      id: state,
      secrets: { state, kinds: [] },
    }));
    assert.ok(allowed && redacted);
    await view.host.emit('context-items', { items: [allowed, redacted] });
    await view.page.getByText('Will be sent as is').waitFor();
    await view.page.getByText('Redacted').waitFor();
  });

  it('are asked about one by one by keyboard, and then the question is sent once', async () => {
    const view = await tester.open(withSecrets(), { prepare: holdsBack });
    await ask(view, 'Why does this fail?');
    const { page } = view;
    const focused = (): Promise<string | null> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
    await view.until(async () => (await focused()) === `Redact: ${held[0]?.name}`, 'the focus');
    await page.keyboard.press('Enter');
    await view.until(async () => (await focused()) === 'Redact: prod.cfg', 'the next focus');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Remove: prod.cfg');
    await page.keyboard.press('Enter');
    await view.until(async () => (await focused()) === 'Redact: Your question', 'the last focus');
    assert.equal(await page.getByRole('button', { name: 'Remove: Your question' }).count(), 0);
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Send Anyway: Your question');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    assert.deepEqual(await view.requested('secret-choose', 2), [
      { itemId: item.id, choice: 'redact' },
      { itemId: 'file-1', choice: 'remove' },
    ]);
    assert.deepEqual(await view.requested('question-submit', 2), [
      { text: 'Why does this fail?' },
      { text: 'Why does this fail?', secrets: 'send' },
    ]);
    assert.equal(await view.composer.inputValue(), '');
  });

  it('go nowhere after Escape, and the question is back in its box', async () => {
    const view = await tester.open(withSecrets(), { prepare: holdsBack });
    await ask(view, 'Why does this fail?');
    await view.page.keyboard.press('Escape');
    await view.until(
      async () => (await view.composer.inputValue()) === 'Why does this fail?',
      'the question',
    );
    await view.page.getByRole('alert').getByText('The question wasn’t sent').waitFor();
    assert.equal((await view.requested('question-submit')).length, 1);
    assert.deepEqual(view.host.requestsFor('secret-choose'), []);
  });

  it('leave an edited question in its box after Escape, which is no failure', async () => {
    const view = await tester.open(aView({ messages: [aQuestion(), aReply()] }));
    view.host.answers['question-edit'] = () => ({ held });
    await view.page.locator('.edit-question').focus();
    await view.page.keyboard.press('Enter');
    await view.page.keyboard.type(' password=hunter2');
    await view.page.keyboard.press('Enter');
    await view.page.getByRole('alertdialog').waitFor();
    await view.page.keyboard.press('Escape');
    await view.page.getByRole('alertdialog').waitFor({ state: 'detached' });
    const alert = view.page.locator('.editor-notice');
    await view.until(
      async () => (await alert.innerText()) === 'It wasn’t sent.',
      'what became of it',
    );
    const box = view.page.getByRole('textbox', { name: 'Edited question' });
    assert.match(await box.inputValue(), /password=hunter2$/);
    assert.ok(await box.evaluate((found) => found === document.activeElement));
  });

  it('leave the question in the state that survives a reload, while one decides', async () => {
    const view = await tester.open(withSecrets(), { prepare: holdsBack });
    await ask(view, 'Why does this fail?');
    await view.stateHolds('Why does this fail?');
    await view.reload();
    assert.equal(await view.composer.inputValue(), 'Why does this fail?');
  });

  it('can be looked for beforehand: the button shows what will be sent, with the draft', async () => {
    const view = await tester.open(withSecrets());
    await view.composer.fill('Not sent yet');
    await view.page.getByRole('button', { name: 'Show What Will Be Sent' }).click();
    assert.deepEqual(await view.requested('request-show'), [{ text: 'Not sent yet' }]);
    assert.equal(await view.composer.inputValue(), 'Not sent yet');
    await view.host.emit('overlay-show', { overlay: 'request' });
    assert.equal((await view.requested('request-show', 2)).length, 2);
    assert.deepEqual(view.host.requestsFor('question-submit'), []);
  });
});
