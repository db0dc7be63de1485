import assert from 'node:assert/strict';
import { anOffer, aQuestion, aReply, aView } from '../thread/conversations';
import { useViewTester, type OpenView } from '../harness';

const waiting = aReply({ parts: [], status: 'waiting' });

describe('the offer of models in the chat view', () => {
  const tester = useViewTester();

  /** Opens a view, and offers models for a question that was just asked. */
  async function offered(): Promise<OpenView> {
    const view = await tester.open(aView());
    await view.host.addMessage(aQuestion());
    await view.host.addMessage(waiting);
    await view.composer.focus();
    await view.host.setStatus(waiting.id, 'waiting', { offer: anOffer });
    await view.button('Quotes only').waitFor();
    return view;
  }

  it('stands in the place of the reply, says who gets the question, and has one button for each choice', async () => {
    const view = await offered();
    const reply = view.page.locator('article.reply');
    const group = reply.getByRole('group', { name: anOffer.text });
    assert.equal(await group.locator('.status-line').innerText(), anOffer.text);
    assert.deepEqual(
      await group.getByRole('button').evaluateAll((found) => found.map((one) => one.ariaLabel)),
      anOffer.choices.map(({ label }) => label),
    );
    assert.equal(await reply.locator('vscode-progress-ring').count(), 0, 'it looks busy');
    assert.equal(await view.page.locator('dialog').count(), 0);
  });

  for (const { writer, label } of anOffer.choices) {
    it(`tells the host that “${label}” was chosen, and keeps the focus in the conversation`, async () => {
      const view = await offered();
      await view.button(label).click();
      assert.deepEqual(await view.requested('writer-choose'), [{ writer }]);
      await view.host.setStatus(waiting.id, 'waiting');
      await view.page.getByText(view.strings.waiting).waitFor();
      assert.equal(await view.button(label).count(), 0);
      const focused = await view.page.evaluate(() => document.activeElement?.className);
      assert.match(focused ?? '', /message reply/);
    });
  }

  it('is reached and taken by keyboard alone', async () => {
    const view = await offered();
    for (const key of ['Shift+Tab', 'Enter', 'Tab', 'Tab', 'Tab', 'Enter']) {
      await view.page.keyboard.press(key);
    }
    assert.deepEqual(await view.requested('writer-choose'), [{ writer: 'quotes' }]);
  });

  it('is announced with its choices, once, and is not in an area that screen readers skip as busy', async () => {
    const view = await offered();
    const said = view.page.locator('body > div > .announcer p');
    await said.waitFor({ state: 'attached' });
    assert.equal(
      await said.textContent(),
      `${anOffer.text} Answer with GPT-5 mini, Answer with llama3.2, Other Models…, Quotes only`,
    );
    const reply = view.page.locator('article.reply');
    assert.equal(await reply.getAttribute('aria-busy'), 'false');
    await view.host.setStatus(waiting.id, 'waiting');
    await view.page.getByText(view.strings.waiting).waitFor();
    assert.equal(await reply.getAttribute('aria-busy'), 'true');
  });

  it('leaves Stop and the question box as they are while a reply runs', async () => {
    const view = await offered();
    await view.button('Stop').click();
    assert.deepEqual(await view.requested('reply-stop'), [{ messageId: waiting.id }]);
  });

  it('shows names of models as plain text, without what would turn them around', async () => {
    const view = await tester.open(aView());
    await view.host.addMessage(aQuestion());
    await view.host.addMessage(waiting);
    const label = 'Answer with <b>\u202eGPT</b>';
    await view.host.setStatus(waiting.id, 'waiting', {
      offer: { text: '<i>x</i>\u202e', choices: [{ writer: 'vscode', label }] },
    });
    await view.button('Answer with <b>GPT</b>').waitFor();
    assert.equal(await view.page.locator('.model-offer .status-line').innerText(), '<i>x</i>');
  });
});
