import assert from 'node:assert/strict';
import { codeFileName } from '../../../../src/shared/codeLanguages';
import {
  findSelection,
  fittedCode,
  type DocumentRange,
} from '../../../../src/chat/context/replacement';

const range = (
  startLine: number,
  startCharacter: number,
  endLine: number,
  endCharacter: number,
): DocumentRange => ({ startLine, startCharacter, endLine, endCharacter });

describe('finding the selection that was asked about', () => {
  const text = 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n';

  it('takes it where it was, though the same text stands elsewhere', () => {
    assert.deepEqual(findSelection(text, 'return', range(5, 2, 5, 8)), range(5, 2, 5, 8));
  });

  it('takes it where it went, if that is one place', () => {
    const moved = `// new\n// lines\n${text}`;
    assert.deepEqual(findSelection(moved, '  return 2;\n', range(5, 0, 6, 0)), range(7, 0, 8, 0));
    assert.deepEqual(findSelection(moved, 'return 2', range(5, 2, 5, 10)), range(7, 2, 7, 10));
  });

  it('does not choose between two places, and finds nothing that is gone', () => {
    assert.equal(findSelection(`\n${text}`, 'return', range(1, 2, 1, 8)), undefined);
    assert.equal(findSelection(text, 'return 3', range(1, 2, 1, 10)), undefined);
    assert.equal(findSelection('', 'x', range(90, 0, 91, 0)), undefined);
    assert.equal(findSelection('aaa', 'aa', range(9, 0, 9, 2)), undefined);
  });

  it('does not take what follows a line that has become shorter for the line', () => {
    assert.deepEqual(findSelection('ab\nxefg\n', 'efg', range(0, 4, 0, 7)), range(1, 1, 1, 4));
  });

  it('does not mind line ends, and what cannot be sent', () => {
    const windows = text.replaceAll('\n', '\r\n');
    assert.deepEqual(
      findSelection(windows, '  return 2;\r\n}', range(5, 0, 6, 1)),
      range(5, 0, 6, 1),
    );
    assert.deepEqual(
      findSelection(windows, 'b() {\n  return', range(0, 0, 0, 1)),
      range(4, 9, 5, 8),
    );
    assert.deepEqual(findSelection('a\0b', 'ab', range(0, 0, 0, 3)), range(0, 0, 0, 3));
  });
});

describe('fitting code into the place of a selection', () => {
  const document = 'class A {\n  f() {\n    return 1;\n  }\n}\n';

  it('indents it like the selection', () => {
    const code = 'if (x) {\n  return 2;\n}\n';
    assert.equal(
      fittedCode(code, document, range(2, 0, 3, 0)),
      '    if (x) {\n      return 2;\n    }\n',
    );
    assert.equal(
      fittedCode(code, document, range(2, 4, 2, 13)),
      'if (x) {\n      return 2;\n    }',
    );
    assert.equal(fittedCode(code, document, range(2, 2, 2, 13)).split('\n')[0], '  if (x) {');
  });

  it('takes away what indents all of it', () => {
    assert.equal(
      fittedCode('\n        a;\n\n        b;\n', document, range(2, 0, 2, 13)),
      '    a;\n\n    b;',
    );
  });

  it('keeps the shape of code whose first line is indented most', () => {
    assert.equal(
      fittedCode('      .then(a)\n    .then(b)\n', document, range(2, 0, 3, 0)),
      '      .then(a)\n    .then(b)\n',
    );
  });

  it('leaves the start of a line alone when the selection begins within it', () => {
    assert.equal(fittedCode('  2 +\n  3\n', document, range(2, 11, 2, 12)), '2 +\n    3');
  });

  it('indents by what the document indents with', () => {
    const tabs = 'class A {\n\tf() {\n\t\treturn 1;\n\t}\n}\n';
    assert.equal(
      fittedCode('f() {\n    if (x) {\n        y;\n    }\n}', tabs, range(1, 0, 3, 2)),
      '\tf() {\n\t\tif (x) {\n\t\t\ty;\n\t\t}\n\t}',
    );
    assert.equal(
      fittedCode('f() {\n\treturn 2;\n}', document, range(1, 2, 3, 3)),
      'f() {\n    return 2;\n  }',
    );
    const aligned = 'f(a,\n  b) {\n     c;\n}';
    assert.equal(fittedCode(aligned, tabs, range(0, 0, 0, 9)), aligned);
  });

  it('ends with a line break if the selection does', () => {
    assert.equal(fittedCode('x', document, range(0, 0, 1, 0)), 'x\n');
    assert.equal(fittedCode('x\n\n', document, range(0, 0, 0, 9)), 'x');
    assert.equal(fittedCode('x\r\ny', document, range(0, 0, 0, 9)), 'x\ny');
  });

  it('looks for the indentation below blank lines', () => {
    assert.equal(fittedCode('a\nb', 'x\n\n    y\n', range(1, 0, 3, 0)), '    a\n    b\n');
  });
});

describe('the name of a file for code', () => {
  for (const [language, name] of [
    ['ts', 'snippet.ts'],
    ['TypeScript', 'snippet.ts'],
    ['c++', 'snippet.cpp'],
    ['dockerfile', 'Dockerfile'],
    ['console', 'snippet.sh'],
    ['zig', 'snippet.zig'],
    ['', 'snippet.txt'],
    ['../x', 'snippet.txt'],
    ['constructor', 'snippet.txt'],
  ] as const) {
    it(`is ${name} for “${language}”`, () => assert.equal(codeFileName(language), name));
  }
});
