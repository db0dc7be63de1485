import assert from 'node:assert/strict';
import { Parser } from 'htmlparser2';
import { parsePage } from '../../../../../src/docs/pages/page';
import { readIncludes } from '../../../../../src/docs/sources/docsFolder';
import { DocsPlace, renderFolder } from './renderedSite';

/** Every construct of a page; what readers are meant to see are words that end in a number. */
const page = `---
title: Front1
description: Lead2
---
import Shared from '/snippets/shared.mdx';
import { Icon } from '@site/icons';
import Local from './_local.mdx'

export const limit = 'value3';
export const Widget = ({ children }) => {
  const codeword = 'codeword';

  return <div className="codeword">{children}</div>;
};

# Heading4

{/* commentword */}

Text5 with {limit} and \`code6\` <!-- commentword --> on.

<Card title="It's7 &quot;so&quot;" />

<Card title='Quoted8 "word9"' href="/other" icon={<svg codeword="codeword">

  <path d="codeword" />

</svg>} onClick={() => codeword('codeword')}>
  Body10
</Card>

<ParamField query="field11" type="type12" required default="default13">
  Meaning14
</ParamField>

<ResponseField name="field15" type="type16[]" deprecated>Meaning17</ResponseField>

<Tabs>
  <Tab title="Tab18">
    \`\`\`js title="file19.js"
    const code20 = '<Tag>';
    \`\`\`
  </Tab>
  <Tab title={\`Tab21\`}>
    ## Heading22

    - Item23
      - Item24
  </Tab>
</Tabs>

<AccordionGroup>
  <Accordion title="Accordion25" description="Description26">Body27</Accordion>
</AccordionGroup>

1. Step28

   <Warning title="Title29">
     Body30
   </Warning>

2. Step31 with <Tooltip tip="Tip32 of words">term33</Tooltip>.

<Frame caption="Caption34 of words">
  <img src="/images/map.png" alt="Alt35" />
</Frame>

<Tree>
  <Tree.Folder name="folder36">
    <Tree.File name="file37.ts" />
  </Tree.Folder>
</Tree>

<CodeGroup>
\`\`\`bash npm38
install39
\`\`\`
\`\`\`bash [pnpm40]
install41
\`\`\`
</CodeGroup>

<Columns cols={2}>
  <Update label="Label42" description="Description43">Body44</Update>
  <Expandable title="Title45">Body46</Expandable>
</Columns>

<Strange heading="Heading47" note="Note48 of words" mode="codeword" items={[{ name: 'name49', description: 'Text50' }]}>
  Body51 <Odd text="Text52" color="codeword" /> **bold53**
</Strange>

<table>
  <thead><tr><th>Head54</th></tr></thead>
  <tbody><tr><td>Cell55 \`code56\`</td></tr></tbody>
</table>

| a57 | b58 |
|---|---|
| <Badge text="Badge59" /> | {limit} |

<details id="opened">
  <summary>Summary60</summary>

  Body61
</details>

Read <a href="./other" className="codeword">link62</a><br />and <a id="place"></a>[link63](./other.mdx#there "title").

<Visibility for="agents">
secretword

</Visibility>

<Visibility for="humans">Shown64</Visibility>

::: tip Title65
Body66

:::: details Title67
Body68
::::
:::

[[toc]]

<Shared name="Name69" />

<Local />

<<< ./code.ts#part [Title70]

> [!NOTE]
> Quote71

{open && <p>Maybe72</p>}

An open <Tag and a { brace73.

<Unclosed title="Title74">
Last75
`;

const docs = {
  'page.mdx': page,
  'other.md': '# Other\n\nA <a id="there">place</a>.\n',
  'snippets/shared.mdx':
    '---\ntitle: secretword\n---\n\nSnippet76 of {props.name}\n\n<Note>Note77</Note>\n',
  '_local.mdx': '## Local78\n\nText79\n',
  'code.ts': 'const secretword = 1;\n// #region part\nconst code80 = 1;\n// #endregion part\n',
  'images/map.png': new Uint8Array([1]),
};

const wanted = Array.from({ length: 80 }, (_none, index) => index + 1);

/** Returns the numbers of the words that a text has. */
function numbersIn(text: string): Set<number> {
  return new Set([...text.matchAll(/[A-Za-z](\d+)\b/g)].map(([, number]) => Number(number)));
}

/** Returns the text that a reader sees of HTML, with the texts of images. */
function seen(html: string): string {
  let text = '';
  const parser = new Parser({
    ontext: (part) => (text += part),
    onopentag: (_name, { alt = '' }) => (text += ` ${alt} `),
    onclosetag: () => (text += ' '),
  });
  parser.end(html);
  return text;
}

describe('a page of every construct', () => {
  let place: DocsPlace;
  before(async () => {
    place = await DocsPlace.create(docs);
  });
  after(() => place.remove());

  it('keeps all of its words in an export, and shows no code', async () => {
    const site = await renderFolder(place.root);
    const text = seen(site.article('page.html'));
    const found = numbersIn(text);
    assert.deepEqual(
      wanted.filter((number) => !found.has(number)),
      [],
    );
    assert.doesNotMatch(
      text,
      /codeword|secretword|commentword|className|import |export |\{\/\*|toc\]|:::|<<</,
    );
    assert.doesNotMatch(text, /<\/?(?!Tag\b)[A-Za-z]/);
  });

  it('keeps all of its words for answers, and shows no code', async () => {
    const files = await readIncludes(place.root, 'page.mdx', page);
    const { title, description, sections } = parsePage('page.mdx', page, files);
    for (const form of ['markdown', 'text'] as const) {
      const text = [
        title,
        description,
        ...sections.flatMap(({ heading, blocks }) => [
          heading,
          ...blocks.map((block) => block[form]),
        ]),
      ].join('\n');
      const found = numbersIn(text);
      assert.deepEqual(
        wanted.filter((number) => !found.has(number)),
        [],
        form,
      );
      assert.doesNotMatch(
        text,
        /codeword|secretword|commentword|className|import |export |\{\/\*|toc\]|:::|<<</,
      );
    }
  });

  it('makes no pages of its snippets', async () => {
    const site = await renderFolder(place.root);
    assert.deepEqual(
      [...site.files.keys()].filter((path) => /shared|local/.test(path)),
      [],
    );
  });
});
