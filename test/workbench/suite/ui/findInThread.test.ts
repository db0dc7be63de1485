import assert from 'node:assert/strict';
import { ask, openAndSelect, questionBox, startAfresh } from '../../asking';
import { chat, pressKey, takeScreenshot, typeText, workbench } from '../../pageDriver';

describe('finding in the conversation', () => {
  beforeEach(startAfresh);

  it('opens by Ctrl+F in the panel and gives the focus back, and VS Code opens no search of its own', async () => {
    await openAndSelect('src/createShipment.ts', 'const warehouse');
    await ask('What does the idempotency key do?');
    await chat.press(questionBox, 'Control+f');
    await chat.waitFor('.find-field:focus');
    await typeText('idempotency key');
    await chat.waitFor('.find-count', { hasText: ' of ' });
    await pressKey('F3');
    await takeScreenshot('find-in-conversation');
    assert.match(await chat.text('.find-count'), /^\d+ of \d+$/);
    assert.equal(await workbench.count('.find-widget.visible'), 0);
    await pressKey('Escape');
    await chat.waitFor('.find-bar', {}, 'detached');
    await typeText('typed');
    assert.equal(await chat.inputValue(questionBox), 'typed');
  });
});
