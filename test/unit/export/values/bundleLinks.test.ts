import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { ExportError } from '../../../../src/export/exportErrors';
import {
  bundleLinksIn,
  renewBundleLinks,
  replaceBundleLinks,
} from '../../../../src/export/values/bundleLinks';

const url = 'https://store.example.com/b.tgz?sig=new';
const mine = 'https://store.example.com/b.tgz?sig=old';
const other = 'https://store.example.com/c.tgz?sig=old';
const isMine = (link: string): boolean => link.startsWith('https://store.example.com/b.tgz');

describe('bundleLinksIn', () => {
  it('finds links at the top, in sub-charts, in lists and in further documents', () => {
    const text = [
      '# \u{1F4E6} values',
      `staticExport: {bundleUrl: '${mine}'}`,
      'docs:',
      '  staticExport:',
      '    enabled: true',
      `    bundleUrl: ${other} # c`,
      'releases:',
      `  - values: [{ "staticExport": { "bundleUrl": "${mine}" } }]`,
      '---',
      'staticExport:',
      '  bundleUrl: >-',
      `    ${other}`,
      '',
    ].join('\r\n');
    const links = bundleLinksIn(text);
    assert.deepEqual(
      links.map(({ url: found, start, end }) => [
        found,
        text.slice(0, start).split('\n').length - 1,
        text.slice(start, end),
      ]),
      [
        [mine, 1, `'${mine}'`],
        [other, 5, other],
        [mine, 7, `"${mine}"`],
        [other, 10, `>-\r\n    ${other}`],
      ],
    );
  });

  for (const [what, text] of [
    ['a file without any', 'a: 1\n'],
    ['an empty file', ''],
    ['a syntax error', `staticExport:\n  bundleUrl: "${mine}\n`],
    ['a tab', `staticExport:\n\tbundleUrl: ${mine}\n`],
    ['an empty link', 'staticExport:\n  bundleUrl: ""\n'],
    ['a link without a value', 'staticExport:\n  bundleUrl:\n'],
    ['a number', 'staticExport:\n  bundleUrl: 5\n'],
    ['a list', `staticExport:\n  bundleUrl: [${mine}]\n`],
    ['an unclosed map', `{staticExport: {bundleUrl: ${mine}`],
    ['a bundleUrl elsewhere', `export:\n  bundleUrl: ${mine}\n`],
    ['too deep nesting', '{a: '.repeat(5000)],
  ] as const) {
    it(`finds none in ${what}`, () => assert.deepEqual(bundleLinksIn(text), []));
  }
});

describe('replaceBundleLinks', () => {
  it('replaces only the links of the export, each in its own style', () => {
    const text = [
      `staticExport: {bundleUrl: '${mine}', enabled: false} # keep`,
      'docs:',
      '  staticExport:',
      `    bundleUrl:   ${mine}   # renew`,
      'other:',
      '  staticExport:',
      `    bundleUrl: "${other}"`,
      `note: ${mine}`,
      'folded:',
      '  staticExport:',
      '    bundleUrl: |- # why',
      `      ${mine}`,
      '',
    ].join('\n');
    const { text: renewed, edits } = replaceBundleLinks(text, isMine, url);
    assert.equal(
      renewed,
      [
        `staticExport: {bundleUrl: '${url}', enabled: false} # keep`,
        'docs:',
        '  staticExport:',
        `    bundleUrl:   ${url}   # renew`,
        'other:',
        '  staticExport:',
        `    bundleUrl: "${other}"`,
        `note: ${mine}`,
        'folded:',
        '  staticExport:',
        `    bundleUrl: "${url}" # why`,
        '',
      ].join('\n'),
    );
    assert.equal(edits.length, 3);
  });

  it('renews a link that an anchor shares', () => {
    const text = `x: &u "${mine}"\nstaticExport: { bundleUrl: &v ${mine} }\nb: *v\n`;
    assert.equal(
      replaceBundleLinks(text, isMine, url).text,
      `x: &u "${mine}"\nstaticExport: { bundleUrl: &v ${url} }\nb: *v\n`,
    );
  });

  for (const [what, text] of [
    ['a merge key', 'b: &b\n  bundleUrl: LINK\nstaticExport:\n  <<: *b\n  enabled: true\n'],
    ['a list of merge keys', 'b: [&b {bundleUrl: LINK}]\ndocs: {staticExport: {<<: [*b]}}\n'],
    [
      'merge keys of merge keys',
      'a: &a {bundleUrl: LINK}\nb: &b {<<: *a}\nstaticExport: {<<: *b}\n',
    ],
    ['an alias of the map', 'b: &b\n  bundleUrl: LINK\nstaticExport: *b\n'],
    ['an alias of the link', 'u: &u LINK\nstaticExport:\n  bundleUrl: *u\n'],
    ['a map that merges itself', 's: &s {<<: *s, bundleUrl: LINK}\nstaticExport: *s\n'],
    ['two charts', 'b: &b {bundleUrl: LINK}\na: {staticExport: *b}\nc: {staticExport: {<<: *b}}\n'],
  ] as const) {
    it(`renews a link once that comes by ${what}`, () => {
      const before = text.replace('LINK', `"${mine}"`);
      const { text: renewed, edits } = replaceBundleLinks(before, isMine, url);
      assert.equal(renewed, text.replace('LINK', `"${url}"`));
      assert.equal(edits.length, 1);
    });
  }

  it('leaves a link that is merged into something else', () => {
    const text = `b: &b { bundleUrl: ${mine} }\nother: { <<: *b }\n`;
    assert.deepEqual(replaceBundleLinks(text, isMine, url), { text, edits: [] });
  });

  it('quotes a link that would end a flow map', () => {
    const strange = `${url}&x={a},b`;
    const { text } = replaceBundleLinks(`{staticExport: {bundleUrl: ${mine}}}`, isMine, strange);
    assert.equal(text, `{staticExport: {bundleUrl: "${strange}"}}`);
  });

  it('changes nothing if the link is already there, or if the file has errors', () => {
    for (const text of [`staticExport:\n  bundleUrl: ${url}\n`, `staticExport: [\n${mine}\n`]) {
      assert.deepEqual(replaceBundleLinks(text, isMine, url), { text, edits: [] });
    }
  });
});

describe('renewBundleLinks', () => {
  const sops =
    'db: ENC[AES256_GCM,data:x,type:str]\nsops:\n  encrypted_regex: ^db$\n  mac: ENC[x]\n';

  it('refuses a file that SOPS has encrypted in part, because the edit would break its MAC', () => {
    const file = { name: 'values.yaml', text: `staticExport:\n  bundleUrl: ${mine}\n${sops}` };
    assert.throws(
      () => renewBundleLinks(file, isMine, url),
      (error) =>
        error instanceof ExportError &&
        error.details.path === 'values.yaml' &&
        error.details.reason?.(plainTranslate).startsWith('it is encrypted with SOPS') === true,
    );
  });

  it('leaves such a file of another export as it is, and renews a file in clear', () => {
    const text = `staticExport:\n  bundleUrl: ${other}\n${sops}`;
    assert.deepEqual(renewBundleLinks({ name: 'a', text }, isMine, url), { text, edits: [] });
    const clear = { name: 'b', text: `staticExport:\n  bundleUrl: ${mine}\n` };
    assert.equal(renewBundleLinks(clear, isMine, url).text, clear.text.replace(mine, url));
  });
});
