import assert from 'node:assert/strict';
import { includesOf } from '../../../../../src/docs/pages/markup/lines';
import { readPage } from '../../../../../src/docs/pages/markup/pageReader';

const partial = "import OsFlag from '../settings/_osFlag.mdx'";

describe('A page of Markdown that imports something', () => {
  it('is MDX, as Docusaurus reads it: imports go, and components and styles are no text', () => {
    const page = [
      '# Owls',
      "import Map from '@site/src/Map';",
      'import {A, B} from "./ab";',
      'import "./owl.css"',
      '<Map near={{lat: 1}} />',
      "![](owl.svg) <img src=\"owl.svg\" style={{'float': 'left'}} />",
      'Owls hunt.',
    ].join('\n\n');
    const { text, problems } = readPage('owls.md', page);
    assert.deepEqual(problems, []);
    assert.deepEqual(text.split(/\n+/), ['# Owls', '![](owl.svg) ![](owl.svg)', 'Owls hunt.']);
  });

  it('includes the parts that it imports', () => {
    const page = `# Install\n\n${partial}\n\n<OsFlag />\n`;
    assert.deepEqual(includesOf('cli/install.md', page), ['../settings/_osFlag.mdx']);
    const files = new Map([['settings/_osFlag.mdx', '### --os\n\nOverrides the system.\n']]);
    const { text } = readPage('cli/install.md', page, files);
    assert.match(text, /^# Install\n+### --os\n+Overrides the system\.\n*$/);
  });

  it('is Markdown with HTML if only its script imports something, as in VitePress', () => {
    const script = "<script setup>\nimport Owl from './Owl.vue'\n</script>";
    const page = `${script}\n\nRuns {name} as {{ user }}.\n\n<Owl :wings="2" />\n\n<br>\n\nEnd`;
    const { text, problems } = readPage('owls.md', page);
    assert.deepEqual(problems, []);
    assert.deepEqual(text.trim().split(/\n+/), ['Runs {name} as {{ user }}.', '<br>', 'End']);
  });

  const others = [
    'import numpy as np {name}',
    'import data from a {file}',
    "```js\nimport owl from './owl';\n```\n\nA {name}",
    "    import owl from './owl';\n\nA {name}",
    "Write import owl from './owl'; {so}",
  ];
  for (const text of others) {
    it(`is told from one that has it as text or code: ${text.replaceAll('\n', '⏎')}`, () => {
      assert.equal(readPage('page.md', text).text, text);
      assert.notEqual(readPage('page.mdx', text).text, text);
    });
  }
});
