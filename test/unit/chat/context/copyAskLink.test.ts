import assert from 'node:assert/strict';
import { copyAskLink } from '../../../../src/chat/context/copyAskLink';
import { ScriptedUi } from '../../../fakes/scriptedUi';

async function run(answers: readonly (string | undefined)[], open?: string) {
  const ui = new ScriptedUi().answer(...answers);
  await copyAskLink({
    ui,
    extension: { scheme: 'vscode', id: 'docs-assistant.docs-assistant' },
    openPage: () => open,
    copy: (text) => ui.copy(text),
  });
  return ui;
}

const link = 'vscode://docs-assistant.docs-assistant/ask';

describe('Copy Link for Docs Site…', () => {
  for (const [format, copied] of [
    ['Link', `${link}?q=start&path=/guides/start`],
    ['Markdown', `[Ask in VS Code](${link}?q=start&path=/guides/start)`],
    ['HTML', `<a href="${link}?q=start&amp;path=/guides/start">Ask in VS Code</a>`],
  ] as const) {
    it(`copies a question and a page as ${format}`, async () => {
      const ui = await run(['guides/start/', 'start', format]);
      assert.deepEqual(ui.copied, [copied]);
    });
  }

  it('offers the page that is open in the editor', async () => {
    const ui = await run(['/open/page', '', 'Link'], '/open/page');
    assert.equal(ui.prompts[0]?.value, '/open/page');
    assert.deepEqual(ui.copied, [`${link}?path=/open/page`]);
  });

  it('refuses a path that no page has, and a link without question and page', async () => {
    const ui = await run(['/a b', '/../x', '', ' ', 'Why?', undefined]);
    assert.equal(ui.remarks.filter(({ kind }) => kind === 'error').length, 3);
    assert.deepEqual(ui.copied, []);
  });

  it('copies nothing that could end the link in a page', async () => {
    const ui = await run(['', '"><script>alert(1)</script> [x](y)', 'HTML']);
    assert.doesNotMatch(ui.copied[0] ?? '', /<script|\[x\]|"">/);
  });
});
