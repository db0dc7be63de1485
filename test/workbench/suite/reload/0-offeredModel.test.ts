import * as vscode from 'vscode';
import { commands } from '../../../../src/common/contributions';
import { replyText, send, startAfresh, whenOnDisk, whenReplyEnds } from '../../asking';
import { offerAnew, offerButton, serveSampleDocs } from '../../models';
import { chat } from '../../pageDriver';

describe('a model that was taken before the window is reloaded', () => {
  before(async () => {
    await startAfresh();
    await serveSampleDocs();
  });
  after(() => vscode.commands.executeCommand(commands.stopLocalService));

  it('writes the reply', async () => {
    await offerAnew();
    await send('How do I verify the signature of a webhook?');
    await chat.click(offerButton, { hasText: 'Answer with Scripted One' });
    await chat.waitFor(replyText, { hasText: 'Every delivery has a signature' });
    await whenReplyEnds();
    await whenOnDisk('scripted-1');
  });
});
