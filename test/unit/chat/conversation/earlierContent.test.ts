import assert from 'node:assert/strict';
import { leftOutOf, withEarlierContext } from '../../../../src/chat/conversation/earlierContent';
import { aContextItem, aFile, aQuestion, aReply } from '../../../builders/asking';

const itemOf = (label: string, value = label) => aContextItem({ id: label, label, value });
const labels = (items: readonly { label: string }[]) => items.map(({ label }) => label);

describe('withEarlierContext', () => {
  it('returns the question’s own items, then those of earlier questions, newest first', () => {
    const { contextItems, leftOut } = withEarlierContext([
      aQuestion({ contextItems: [itemOf('old')] }),
      aReply(),
      aQuestion({ contextItems: [itemOf('middle-1'), itemOf('middle-2')] }),
      aReply(),
      aQuestion({ contextItems: [itemOf('new')] }),
    ]);
    assert.deepEqual(labels(contextItems), ['new', 'middle-1', 'middle-2', 'old']);
    assert.deepEqual(leftOut, []);
  });

  it('gives an item once that was selected for several questions', () => {
    const { contextItems } = withEarlierContext([
      aQuestion({ contextItems: [itemOf('a')] }),
      aQuestion({ contextItems: [itemOf('a'), itemOf('b')] }),
      aQuestion({ contextItems: [itemOf('a')] }),
    ]);
    assert.deepEqual(labels(contextItems), ['a', 'b']);
  });

  it('leaves out earlier items that don’t fit, and sends smaller ones before them', () => {
    const { contextItems, leftOut } = withEarlierContext([
      aQuestion({ contextItems: [itemOf('small')] }),
      aQuestion({ contextItems: [itemOf('too much', 'y'.repeat(50_001))] }),
      aQuestion({ contextItems: [itemOf('large', 'x'.repeat(150_000))] }),
      aQuestion({ contextItems: [itemOf('own', 'z'.repeat(500_000))] }),
    ]);
    assert.deepEqual(labels(contextItems), ['own', 'large', 'small']);
    assert.deepEqual(labels(leftOut), ['too much']);
  });
});

describe('leftOutOf', () => {
  it('is nothing where all goes along', () => {
    assert.equal(leftOutOf([aQuestion({ files: [aFile()] })], []), undefined);
  });

  it('tells content that is too large from content that is gone, each name once', () => {
    const large = aFile({ id: 'f2', filename: 'large.log', url: `data:,${'x'.repeat(9_000_000)}` });
    const gone = aFile({ id: 'f3', filename: 'gone.log', url: '' });
    const messages = [
      aQuestion({ files: [large, gone] }),
      aReply(),
      aQuestion({ files: [large, aFile()] }),
      aReply(),
      aQuestion({ files: [aFile({ id: 'f4' })] }),
    ];
    assert.deepEqual(leftOutOf(messages, [itemOf('a.ts')]), {
      tooLarge: ['a.ts', 'large.log'],
      refused: [],
      gone: ['gone.log'],
    });
  });

  it('names a file of a reply only where it is too large to be sent again', () => {
    const fileOf = (filename: string, url: string) =>
      ({ type: 'file', mediaType: 'image/png', filename, url }) as const;
    const large = fileOf('large.png', `data:,${'x'.repeat(100_000)}`);
    const parts = [fileOf('small.png', 'data:,x'), large];
    const messages = [aQuestion(), aReply({ parts }), aQuestion()];
    assert.deepEqual(leftOutOf(messages, [])?.tooLarge, ['large.png']);
  });

  it('names what a refused question had, but not what is attached again', () => {
    const picture = aFile({ id: 'f1', filename: 'picture.png' });
    const error = { code: 'too-large', message: 'Too large.', actions: [] } as const;
    const messages = [
      aQuestion({ files: [picture, aFile({ id: 'f2' })], contextItems: [itemOf('a.ts')] }),
      aReply({ status: 'failed', parts: [], error }),
      aQuestion({ files: [aFile({ id: 'f3' })] }),
    ];
    assert.deepEqual(leftOutOf(messages, []), {
      tooLarge: [],
      refused: ['a.ts', 'picture.png'],
      gone: [],
    });
  });
});
