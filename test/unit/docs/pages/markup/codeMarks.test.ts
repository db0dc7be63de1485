import assert from 'node:assert/strict';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

describe('Marks of Shiki in code', () => {
  const cases: readonly [what: string, source: string, text: string][] = [
    [
      'go, and their lines stay',
      fence('ts', 'const a = 1 // [!code ++]\nb() // [!code focus]\nc() // [!code highlight:2]'),
      fence('ts', 'const a = 1\nb()\nc()'),
    ],
    [
      'go in comments of other languages',
      fence(
        'vue',
        '<p>a</p> <!-- [!code hl] -->\n{/* [!code error] */}<b />\nx: 1 # [!code warning]\n.a {} /* [!code ++] */\nselect 1 -- [!code ++]',
      ),
      fence('vue', '<p>a</p>\n<b />\nx: 1\n.a {}\nselect 1'),
    ],
    [
      'go with their line if it has nothing else',
      fence('ts', 'a()\n  // [!code word:hello]\nb()'),
      fence('ts', 'a()\nb()'),
    ],
    [
      'leave the comment that they end',
      fence('ts', 'a() // Sends it. [!code focus]\nb() /* B [!code focus] */'),
      fence('ts', 'a() // Sends it.\nb() /* B */'),
    ],
    [
      'make a diff of a block with removed lines',
      fence('ts{2} [vite.config.ts]', 'f({\n  a: 1, // [!code --]\n  b: 2, // [!code ++]\n})'),
      fence('diff{2} [vite.config.ts]', ' f({\n-  a: 1,\n+  b: 2,\n })'),
    ],
    [
      'can stand for several lines of a diff',
      fence('ts', '// [!code --:2]\na()\nb()\nc()'),
      fence('diff', '-a()\n-b()\n c()'),
    ],
    [
      'make a diff in a list',
      '- Remove it:\n\n  ```js\n  a() // [!code --]\n\n  b()\n  ```',
      '- Remove it:\n\n  ```diff\n  -a()\n\n   b()\n  ```',
    ],
    [
      'are shown where the page writes them with two marks',
      fence('ts', 'a() // [!!code focus]'),
      fence('ts', 'a() // [!code focus]'),
    ],
    [
      'stay in a text',
      'Write `// [!code focus]` behind a line.',
      'Write `// [!code focus]` behind a line.',
    ],
  ];
  for (const [what, source, text] of cases)
    for (const path of ['guide.md', 'guide.mdx'])
      it(`${what} (${path})`, () => {
        assert.equal(readPage(path, source).text, text);
      });

  it('go in code of a file', () => {
    const files = new Map([['a.ts', 'a() // [!code focus]\n']]);
    const { text } = readPage('guide.md', '<<< a.ts', files);
    assert.equal(text.trim(), fence('ts', 'a()'));
  });

  it('are read in a time that grows with the page', () => {
    const code = `a() // ${'[!code ++] '.repeat(20_000)}${' '.repeat(200_000)}`;
    assert.equal(readPage('guide.md', fence('ts', code)).text, fence('ts', 'a()'));
  });
});
