import assert from 'node:assert/strict';
import type { ContextItem } from '../../../../src/chat/context/contextItem';
import {
  toContextItem,
  type DocumentSnapshot,
  type SelectionSnapshot,
  textItem,
} from '../../../../src/chat/context/selectionItem';
import { sendableText } from '../../../../src/shared/characters';

const folder = { name: 'shop', scheme: 'file', authority: '', path: '/home/ann/shop' };

function aDocument(changes: Partial<DocumentSnapshot> = {}): DocumentSnapshot {
  return {
    uri: 'file:///home/ann/shop/src/pay.ts',
    scheme: 'file',
    authority: '',
    path: '/home/ann/shop/src/pay.ts',
    languageId: 'typescript',
    isUntitled: false,
    folders: [folder],
    ...changes,
  };
}

function aSelection(
  changes: Partial<SelectionSnapshot> = {},
  document: Partial<DocumentSnapshot> = {},
): SelectionSnapshot {
  return {
    document: aDocument(document),
    text: 'const a = 1;',
    startLine: 4,
    startCharacter: 0,
    endLine: 4,
    endCharacter: 12,
    ...changes,
  };
}

function itemOf(selection: SelectionSnapshot, limitBytes = 100_000): ContextItem {
  const result = toContextItem(selection, limitBytes, 'item-1');
  assert.ok(result.ok, 'the selection is refused');
  return result.item;
}

describe('toContextItem', () => {
  it('gives type, value, relative path, label and lines counted from 1', () => {
    assert.deepEqual(itemOf(aSelection()), {
      id: 'item-1',
      type: 'code',
      value: 'const a = 1;',
      path: 'src/pay.ts',
      label: 'pay.ts',
      startLine: 5,
      endLine: 5,
      target: {
        uri: 'file:///home/ann/shop/src/pay.ts',
        startLine: 4,
        startCharacter: 0,
        endLine: 4,
        endCharacter: 12,
      },
    });
  });

  it('does not count the line that whole selected lines end before', () => {
    const item = itemOf(aSelection({ text: 'a\nb\n', startLine: 0, endLine: 2, endCharacter: 0 }));
    assert.deepEqual([item.startLine, item.endLine], [1, 2]);
  });

  it('keeps the value as it was selected, with its white space', () => {
    assert.equal(itemOf(aSelection({ text: '  a;\r\n\tb;\n' })).value, '  a;\r\n\tb;\n');
  });

  it('names a chosen symbol on the chip', () => {
    assert.equal(itemOf(aSelection({ symbol: 'payNow' })).label, 'payNow');
  });

  it('sends no path of an untitled document and shows its name', () => {
    const item = itemOf(
      aSelection({}, { scheme: 'untitled', path: 'Untitled-1', isUntitled: true }),
    );
    assert.equal(item.path, undefined);
    assert.equal(item.label, 'Untitled-1');
  });

  it('names the notebook and the cell of a selection in a cell', () => {
    const item = itemOf(
      aSelection({}, { path: '/home/ann/shop/notes.ipynb', cell: { id: 'c0ffee', number: 3 } }),
    );
    assert.deepEqual(
      [item.path, item.elementId, item.label],
      ['notes.ipynb', 'c0ffee', 'notes.ipynb [3]'],
    );
  });

  for (const text of ['', '  \n\t', '\0\0']) {
    it(`refuses ${JSON.stringify(text)} as empty`, () => {
      assert.deepEqual(toContextItem(aSelection({ text }), 1000, 'x'), {
        ok: false,
        refusal: { reason: 'empty' },
      });
    });
  }

  it('leaves NUL out and replaces lone surrogates', () => {
    assert.equal(itemOf(aSelection({ text: 'a\0b \ud800c 😀' })).value, 'ab \ufffdc 😀');
  });

  it('refuses binary content by name', () => {
    const text = '\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0\x01\0';
    assert.deepEqual(toContextItem(aSelection({ text }), 1000, 'x'), {
      ok: false,
      refusal: { reason: 'binary', label: 'pay.ts' },
    });
  });

  it('takes a selection that is exactly as large as the limit in bytes of UTF-8', () => {
    assert.equal(itemOf(aSelection({ text: 'é'.repeat(50) }), 100).value.length, 50);
  });

  it('refuses one byte more, with its size and the limit, and cuts nothing', () => {
    const text = `${'é'.repeat(50)}!`;
    assert.deepEqual(toContextItem(aSelection({ text }), 100, 'x'), {
      ok: false,
      refusal: { reason: 'too-large', label: 'pay.ts', sizeBytes: 101, limitBytes: 100 },
    });
  });
});

describe('sendableText', () => {
  it('keeps pairs of surrogates', () => assert.equal(sendableText('👩‍💻'), '👩‍💻'));
});

describe('textItem', () => {
  it('is a text selection that leads nowhere', () => {
    assert.deepEqual(textItem('id', 'Problems', 'text'), {
      id: 'id',
      type: 'textSelection',
      label: 'Problems',
      value: 'text',
    });
  });
});
