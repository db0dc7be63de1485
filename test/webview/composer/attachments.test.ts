import assert from 'node:assert/strict';
import { describeError } from '../../../src/common/describeError';
import { DocsAssistantError } from '../../../src/common/errors';
import { fileType } from '../../../src/shared/fileType';
import { MAX_FILE_BYTES, MAX_FILES, MAX_QUESTION_LENGTH } from '../../../src/shared/limits';
import type { AttachmentView } from '../../../src/shared/uiMessage';
import { aContextItem, aSite, aView } from '../thread/conversations';
import { Refusal, type FakeHost } from '../fakeHost';
import { useViewTester, type OpenView } from '../harness';

/** A picture of one pixel, as base64. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface DroppedFile {
  readonly name: string;
  /** Text, or base64 after `base64:`. */
  readonly content: string;
}

describe('attaching files in the chat view', () => {
  const tester = useViewTester();

  /** A host that takes files, as the real one does. */
  const takesFiles = (host: FakeHost): void => {
    host.answers['attachment-add'] = async ({ filename, content }) => {
      const files = host.view.files ?? [];
      const bytes = Buffer.from(content, 'base64');
      const mediaType = fileType(filename, bytes) ?? assert.fail(filename);
      const id = `file-${files.length + 1}`;
      const file = { id, filename, mediaType, sizeBytes: bytes.length };
      await host.emit('context-items', { items: [], files: [...files, file] });
      return null;
    };
    host.answers['attachment-remove'] = async ({ attachmentId }) => {
      const files = (host.view.files ?? []).filter(({ id }) => id !== attachmentId);
      await host.emit('context-items', { items: [], files: files.length > 0 ? files : undefined });
      return null;
    };
  };

  it('takes files that are dropped anywhere on the view, and leaves it to the host what they are', async () => {
    const view = await tester.open(aView(), { prepare: takesFiles });
    await drag(view, 'drop', [
      { name: 'notes.md', content: '# Notes ü\n' },
      { name: 'shot.bin', content: `base64:${png}` },
    ]);
    assert.deepEqual(await view.requested('attachment-add', 2), [
      { filename: 'notes.md', content: base64('# Notes ü\n') },
      { filename: 'shot.bin', content: png },
    ]);
    const chips = view.page.locator('.composer .chip');
    await chips.nth(1).waitFor();
    assert.match(await chips.nth(0).innerText(), /notes\.md\s*11 B/);
    await view.page.locator('.composer .chip .codicon-file-media').waitFor();
  });

  it('tells a screen reader what was attached while one writes', async () => {
    const view = await tester.open(aView({ files: someFiles(1) }), { prepare: takesFiles });
    await view.composer.focus();
    const status = view.page.locator('.composer [role="status"]');
    assert.equal(await status.innerText(), '');
    await drag(view, 'drop', [{ name: 'notes.md', content: '# Notes' }]);
    await view.until(async () => (await status.innerText()) === 'Attached notes.md', 'the news');
  });

  it('shows where files can be dropped only while they are dragged over the view', async () => {
    const view = await tester.open(aView());
    const target = view.page.getByText('Drop files to attach them');
    const files = [{ name: 'a.txt', content: 'a' }];
    await drag(view, 'dragenter', files);
    await target.waitFor();
    await drag(view, 'dragleave', files);
    await target.waitFor({ state: 'hidden' });
    await drag(view, 'dragover', files);
    await target.waitFor();
    await drag(view, 'drop', files);
    await target.waitFor({ state: 'hidden' });
    await view.requested('attachment-add');
  });

  it('leaves dragged text to the box', async () => {
    const view = await tester.open(aView());
    const isTaken = await view.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('text/plain', 'words');
      const event = new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true });
      return !document.body.dispatchEvent(event);
    });
    assert.equal(isTaken, false);
    assert.equal(await view.page.locator('.file-drop').isVisible(), false);
  });

  it('says how to attach what only VS Code can read', async () => {
    const view = await tester.open(aView());
    await view.page.evaluate(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.setData('application/vnd.code.uri-list', 'file:///home/ann/shop/start.ts');
      const settings = { dataTransfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent('drop', settings));
    });
    await view.page.getByRole('alert').getByText('Type #file to attach a workspace file').waitFor();
    assert.deepEqual(view.host.requestsFor('attachment-add'), []);
  });

  it('refuses other kinds, empty files and large ones, each by its name, and takes the rest', async () => {
    const view = await tester.open(aView(), { prepare: takesFiles });
    await drag(view, 'drop', [
      { name: 'app.exe', content: `base64:${Buffer.from('MZ\0\0').toString('base64')}` },
      { name: 'nothing.txt', content: '' },
      { name: 'huge.log', content: 'x'.repeat(MAX_FILE_BYTES + 1) },
      { name: 'fits.log', content: 'x'.repeat(MAX_FILE_BYTES) },
    ]);
    const alert = view.page.getByRole('alert');
    await alert.getByText('app.exe can’t be attached. You can attach text files').waitFor();
    const said = await alert.innerText();
    assert.match(said, /nothing\.txt is empty/);
    assert.match(said, /huge\.log is 5\.1 MB\. Files can be up to 5 MB/);
    const [first, ...more] = await view.requested('attachment-add');
    assert.equal(first?.filename, 'fits.log');
    assert.equal(first.content.length, Math.ceil(MAX_FILE_BYTES / 3) * 4);
    assert.deepEqual(more, []);
  });

  it('takes no more files than a question may have', async () => {
    const view = await tester.open(aView({ files: someFiles(MAX_FILES - 1) }), {
      prepare: takesFiles,
    });
    await drag(view, 'drop', [
      { name: 'last.txt', content: 'a' },
      { name: 'over.txt', content: 'b' },
    ]);
    await view.page
      .getByRole('alert')
      .getByText('You can attach up to 10 files. Not attached: over.txt')
      .waitFor();
    assert.equal((await view.requested('attachment-add')).length, 1);
  });

  it('shows what the host refuses beside what the view refuses of the same drop', async () => {
    const view = await tester.open(aView(), {
      prepare: (host) => {
        takesFiles(host);
        const take = host.answers['attachment-add'];
        host.answers['attachment-add'] = (params) => {
          if (!params.filename.startsWith('odd')) return take?.(params) ?? null;
          const serviceMessage = `${params.filename} could not be read.`;
          throw new Refusal(
            describeError(new DocsAssistantError('file-refused', { serviceMessage })),
          );
        };
      },
    });
    await drag(view, 'drop', [
      { name: 'odd-1.txt', content: 'a' },
      { name: 'nothing.txt', content: '' },
      { name: 'notes.md', content: '# Notes' },
      { name: 'odd-2.txt', content: 'b' },
    ]);
    const alert = view.page.getByRole('alert');
    await alert.getByText('odd-2.txt could not be read.').waitFor();
    const said = (await alert.innerText()).split('\n').filter((line) => line.trim() !== '');
    assert.deepEqual(said.length, 3, said.join('|'));
    assert.match(said[0] ?? '', /odd-1\.txt could not be read\./);
    assert.match(said[1] ?? '', /nothing\.txt is empty\./);
    assert.match(said[2] ?? '', /odd-2\.txt could not be read\./);
    const chips = view.page.locator('.composer .chip');
    await view.until(async () => (await chips.count()) === 1, 'one file');
  });

  it('still shows the refused files of one drop when another drop follows at once', async () => {
    let release = (): void => assert.fail('nothing waits');
    const view = await tester.open(aView(), {
      prepare: (host) => {
        host.answers['attachment-add'] = () =>
          new Promise((resolve) => {
            release = () => resolve(null);
          });
      },
    });
    await drag(view, 'drop', [
      { name: 'slow.txt', content: 'a' },
      { name: 'first.txt', content: '' },
    ]);
    await view.requested('attachment-add');
    await drag(view, 'drop', [{ name: 'second.txt', content: '' }]);
    release();
    const alert = view.page.getByRole('alert');
    await alert.getByText('first.txt is empty.').waitFor();
    await alert.getByText('second.txt is empty.').waitFor();
    assert.ok(await alert.getByText('first.txt is empty.').isVisible());
  });

  it('says once that files were not attached where the host does not say why', async () => {
    const view = await tester.open(aView(), {
      prepare: (host) => {
        host.answers['attachment-add'] = ({ filename }) => {
          if (filename === 'c.txt') return null;
          throw new Refusal(describeError(new Error('disk')));
        };
      },
    });
    await drag(view, 'drop', [
      { name: 'a.txt', content: 'a' },
      { name: 'b.txt', content: 'b' },
      { name: 'c.txt', content: 'c' },
      { name: 'd.txt', content: '' },
    ]);
    const alert = view.page.getByRole('alert');
    await alert.getByText('d.txt is empty.').waitFor();
    const said = (await alert.innerText()).split('\n').filter((line) => line.trim() !== '');
    assert.equal(said.length, 2, said.join('|'));
    assert.equal((await view.requested('attachment-add', 3)).length, 3);
  });

  it('attaches a pasted picture, and leaves text that carries its own picture as text', async () => {
    const view = await tester.open(aView(), { prepare: takesFiles });
    await view.composer.click();
    assert.equal(await paste(view, '', [{ name: 'image.png', content: `base64:${png}` }]), true);
    const [picture] = await view.requested('attachment-add');
    assert.deepEqual(picture, { filename: 'image.png', content: png });
    const isTaken = await paste(view, 'A1\tB1', [{ name: 'image.png', content: `base64:${png}` }]);
    assert.equal(isTaken, false);
    assert.equal(await paste(view, 'notes.md', [{ name: 'notes.md', content: '# A' }]), true);
    assert.equal((await view.requested('attachment-add', 2))[1]?.filename, 'notes.md');
  });

  it('offers to attach pasted text that is too long for a question', async () => {
    const view = await tester.open(aView(), { prepare: takesFiles });
    await view.composer.fill('Why?');
    const text = 'log line\n'.repeat(Math.ceil(MAX_QUESTION_LENGTH / 9));
    assert.equal(await paste(view, text, []), true);
    await view.page.getByRole('alert').getByText('100,008 characters').waitFor();
    assert.equal(await view.composer.inputValue(), 'Why?');
    await view.button('Attach as File').click();
    assert.deepEqual(await view.requested('attachment-add'), [
      { filename: 'pasted-text.txt', content: base64(text) },
    ]);
    await view.page.getByRole('alert').waitFor({ state: 'hidden' });
    assert.equal(await paste(view, 'short', []), false);
  });

  it('leaves a long text to the box where it takes the place of what is selected', async () => {
    const view = await tester.open(aView());
    await view.composer.fill('x'.repeat(MAX_QUESTION_LENGTH - 5));
    await view.composer.selectText();
    assert.equal(await paste(view, 'log line\n', []), false);
  });

  it('keeps offering to attach the text beside a long draft while other things change', async () => {
    const view = await tester.open(aView());
    await view.composer.fill('x'.repeat(MAX_QUESTION_LENGTH - 5));
    await paste(view, 'log line\n', []);
    await view.button('Attach as File').waitFor();
    await view.host.emit('context-items', { items: [aContextItem()] });
    await view.page.locator('.composer .chip').waitFor();
    await view.button('Attach as File').click();
    await view.requested('attachment-add');
  });

  it('lets a person choose files by a button that says what may be attached', async () => {
    const view = await tester.open(aView());
    const button = view.page.locator('.attach-files');
    assert.match((await button.getAttribute('title')) ?? '', /up to 10 files of 5 MB/);
    await button.click();
    assert.equal((await view.requested('attachment-pick')).length, 1);
  });

  it('removes files and the page by keyboard, and goes to the neighbour, then to the box', async () => {
    const view = await tester.open(aView({ files: someFiles(2), page: '/guides/start' }), {
      prepare: (host) => {
        takesFiles(host);
        host.answers['page-remove'] = async () => {
          const { files = [] } = host.view;
          await host.emit('context-items', { items: [], files });
          return null;
        };
      },
    });
    const chips = view.page.locator('.composer .chip');
    assert.match(await chips.nth(0).innerText(), /\/guides\/start/);
    await view.button('Remove page /guides/start').focus();
    await view.page.keyboard.press('Delete');
    await view.until(async () => (await chips.count()) === 2, 'no page');
    assert.equal(await view.focusedName(), 'Remove file-0.txt');
    await view.page.keyboard.press('Enter');
    await view.until(async () => (await chips.count()) === 1, 'one file');
    assert.equal(await view.focusedName(), 'Remove file-1.txt');
    await view.page.keyboard.press('Backspace');
    await view.until(async () => (await chips.count()) === 0, 'no file');
    assert.equal(await view.focusedName(), 'Question');
    assert.deepEqual(view.host.requestsFor('attachment-remove'), [
      { attachmentId: 'file-0' },
      { attachmentId: 'file-1' },
    ]);
  });

  it('keeps the focus on the same button of a chip when others come before and behind it', async () => {
    const files = someFiles(2);
    const items = [aContextItem({ label: 'one.ts', path: 'one.ts' })];
    const view = await tester.open(aView({ files, contextItems: items }));
    await view.button('Remove file-1.txt').focus();
    await view.host.emit('context-items', { items, files, page: '/guides/start' });
    await view.button('Remove page /guides/start').waitFor();
    assert.equal(await view.focusedName(), 'Remove file-1.txt');
    const reveal = 'Show one.ts, lines 12–38';
    await view.button(reveal).focus();
    const other = aContextItem({ id: 'item-2', label: 'two.ts', path: 'two.ts' });
    await view.host.emit('context-items', { items: [other, ...items], files });
    await view.button('Show two.ts, lines 12–38').waitFor();
    assert.equal(await view.focusedName(), reveal);
  });

  it('shows the package of the question as a chip for docs with packages alone, and removes it', async () => {
    const site = aSite({ hasPackages: true, isLocal: true });
    const view = await tester.open(aView({ site, package: 'next' }), {
      prepare: (host) => {
        host.answers['package-remove'] = async () => {
          await host.emit('context-items', { items: [] });
          return null;
        };
      },
    });
    const chips = view.page.locator('.composer .chip');
    assert.equal(await chips.innerText(), 'next');
    await view.host.emit('site-changed', { site: aSite(), suggestions: [] });
    await view.until(async () => (await chips.count()) === 0, 'no chip for a hosted site');
    await view.host.emit('site-changed', { site, suggestions: [] });
    await view.button('Remove package next').click();
    await view.requested('package-remove');
    await view.until(async () => (await chips.count()) === 0, 'no package');
  });

  it('removes context items with Delete too', async () => {
    const view = await tester.open(aView({ contextItems: [aContextItem()] }));
    await view.page.locator('.composer .chip-reveal').focus();
    await view.page.keyboard.press('Delete');
    assert.deepEqual(await view.requested('context-item-remove'), [{ itemId: 'item-1' }]);
  });

  it('shows hostile names of files as text', async () => {
    const filename = '<img src=x onerror=alert(1)>\u202egpj.exe';
    const file = { id: 'f', filename, mediaType: 'text/plain', sizeBytes: 1 };
    const view = await tester.open(aView({ files: [file], page: '/\u202e<b>x' }));
    const text = await view.page.locator('.composer .attachments').innerText();
    assert.match(text, /<img src=x onerror=alert\(1\)>gpj\.exe/);
    assert.equal(text.includes('\u202e'), false);
    assert.equal(await view.page.locator('.composer img, .composer b').count(), 0);
  });
});

function someFiles(count: number): AttachmentView[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `file-${index}`,
    filename: `file-${index}.txt`,
    mediaType: 'text/plain',
    sizeBytes: 1200,
  }));
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Dispatches a drag event as the browser sends it for files from the system. */
async function drag(view: OpenView, type: string, files: readonly DroppedFile[]): Promise<void> {
  await view.page.evaluate(
    ({ type: name, files: given }) => {
      const dataTransfer = new DataTransfer();
      for (const { name: filename, content } of given) {
        const bytes = content.startsWith('base64:')
          ? Uint8Array.from(atob(content.slice(7)), (letter) => letter.charCodeAt(0))
          : content;
        dataTransfer.items.add(new File([bytes], filename));
      }
      const settings = { dataTransfer, bubbles: true, cancelable: true };
      document.querySelector('.thread-scroller')?.dispatchEvent(new DragEvent(name, settings));
    },
    { type, files: [...files] },
  );
}

/** @returns whether the view took it, so that the box does not get it as text. */
async function paste(
  view: OpenView,
  text: string,
  files: readonly DroppedFile[],
): Promise<boolean> {
  return view.composer.evaluate(
    (control, { text: pasted, files: given }) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', pasted);
      for (const { name, content } of given) {
        const bytes = content.startsWith('base64:')
          ? Uint8Array.from(atob(content.slice(7)), (letter) => letter.charCodeAt(0))
          : content;
        clipboardData.items.add(new File([bytes], name));
      }
      const settings = { clipboardData, bubbles: true, composed: true, cancelable: true };
      return !control.dispatchEvent(new ClipboardEvent('paste', settings));
    },
    { text, files: [...files] },
  );
}
