import assert from 'node:assert/strict';
import { ChatReplyWriter } from '../../../../src/chat/participant/chatReplyWriter';
import { plainTranslate } from '../../../../src/common/errors';
import type { PartOp } from '../../../../src/shared/replyOps';
import type { SearchPart } from '../../../../src/shared/uiMessage';

/** Returns what a reader of VS Code's chat gets of changes, each call with its text. */
function written(changes: readonly (readonly PartOp[])[], ...blocks: readonly string[]): string[] {
  const calls: string[] = [];
  const writer = new ChatReplyWriter(
    {
      progress: (sentence) => calls.push(`progress ${sentence}`),
      markdown: (text) => calls.push(text),
      reference: (url) => calls.push(`reference ${url}`),
    },
    plainTranslate,
  );
  for (const ops of changes) writer.write({ ops });
  for (const block of blocks) writer.block(block);
  return calls;
}

const text = (value: string) => ({ type: 'text', text: value }) as const;

const search = (part: Partial<SearchPart> = {}): SearchPart => ({
  type: 'search',
  toolCallId: 's1',
  toolName: 'search',
  state: 'running',
  ...part,
});

const source = (url: string, title?: string) =>
  ({ type: 'source-url', sourceId: url, url, title }) as const;

describe('ChatReplyWriter', () => {
  it('writes text as it comes, each piece once', () => {
    assert.deepEqual(written([[[0, text('Use')]], [[0, ' the']], [[0, ' key.']]]), [
      'Use',
      ' the',
      ' key.',
    ]);
  });

  it('begins a new paragraph for another text', () => {
    assert.deepEqual(written([[[0, text('One.')]], [[1, text('Two.')]]]), ['One.', '\n\n', 'Two.']);
    assert.deepEqual(written([[[0, text('One.\n\n')]], [[1, text('Two.')]]]), ['One.\n\n', 'Two.']);
  });

  it('writes only the rest of a text that is sent again, longer', () => {
    assert.deepEqual(written([[[0, text('One')]], [[0, text('One and two')]]]), [
      'One',
      ' and two',
    ]);
  });

  it('goes on below a text that the service took back', () => {
    assert.deepEqual(written([[[0, text('Wrong.')]], [[0, text('')]], [[0, 'Right.']]]), [
      'Wrong.',
      '\n\n',
      'Right.',
    ]);
  });

  it('keeps earlier texts when the service takes back a later one', () => {
    const calls = written([
      [[0, text('One.')]],
      [[1, text('Wrong.')]],
      [[1, text('')]],
      [[2, text('Two.')]],
    ]);
    assert.equal(calls.join(''), 'One.\n\nWrong.\n\nTwo.');
  });

  it('tells of each search once, while it runs', () => {
    const calls = written([
      [[0, search()]],
      [[0, search({ query: 'labels' })]],
      [[0, search({ query: 'labels' })]],
      [[0, search({ query: 'labels', state: 'done', resultCount: 3 })]],
    ]);
    assert.deepEqual(calls, ['progress Searching the docs…', 'progress Searching “labels”…']);
  });

  it('shows once that a model is thinking, and never its thoughts', () => {
    const reasoning = { type: 'reasoning', text: 'Hm.' } as const;
    assert.deepEqual(written([[[0, reasoning]], [[0, ' Hm.']], [[1, reasoning]]]), [
      'progress Thinking…',
    ]);
  });

  it('lists each web page once, and nothing else', () => {
    const calls = written([
      [
        [0, source('https://docs.example.com/a')],
        [1, source('https://docs.example.com/a')],
        [2, source('/guides/b')],
        [3, source('javascript:alert(1)')],
        [4, source('command:workbench.action.quit')],
        [5, source('https://docs.example.com/a#b')],
      ],
    ]);
    assert.deepEqual(calls, [
      'reference https://docs.example.com/a',
      'reference https://docs.example.com/a#b',
    ]);
  });

  it('writes blocks as paragraphs of their own', () => {
    assert.deepEqual(written([[[0, text('One.')]]], '> Note', '**Sources**'), [
      'One.',
      '\n\n',
      '> Note',
      '\n\n',
      '**Sources**',
    ]);
    assert.deepEqual(written([], 'Only this.'), ['Only this.']);
  });

  it('refuses changes that do not fit', () => {
    assert.throws(() => written([[[3, 'lost']]]), /does not fit/);
  });
});
