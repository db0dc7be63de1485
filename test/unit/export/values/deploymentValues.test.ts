import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { parse } from 'yaml';
import { ExportError } from '../../../../src/export/exportErrors';
import { setDeployment } from '../../../../src/export/values/deploymentValues';

const url = 'https://store.example.com/b/bundle.tar.gz?X-Amz-Expires=900&X-Amz-Signature=0a%2Fb';
const old = 'https://store.example.com/b/bundle.tar.gz?X-Amz-Signature=old';

/** Applies the edits back to front, as an editor does, without the code under test. */
function applied(text: string, edits: ReturnType<typeof setDeployment>['edits']): string {
  return [...edits].reverse().reduce((result, { start, end, newText }) => {
    return result.slice(0, start) + newText + result.slice(end);
  }, text);
}

interface Case {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly version?: string;
}

const cases: readonly Case[] = [
  {
    name: 'appends the keys to an empty file',
    before: '',
    after: `staticExport:\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'appends the keys to a file of comments only',
    before: '# Values of the docs.\n\n# image:\n',
    after: `# Values of the docs.\n\n# image:\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'appends the keys to a comment without a line break',
    before: '# Values',
    after: `# Values\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"`,
  },
  {
    name: 'puts a block in the place of an empty map at the top',
    before: '# Default values\n{}\n',
    after: `# Default values\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'keeps the place, the quotes and the comments of keys that are there',
    before: [
      '# top',
      'replicas:   2   # spaces stay',
      '',
      'staticExport: # served bundle',
      "    bundleUrl: 'old' # renewed weekly",
      '    # pinned',
      '    version: v1',
      '    enabled:  false   # until the first export',
      '',
      'image: { tag: "1.10" }',
      '# end',
      '',
    ].join('\n'),
    after: [
      '# top',
      'replicas:   2   # spaces stay',
      '',
      'staticExport: # served bundle',
      `    bundleUrl: '${url}' # renewed weekly`,
      '    # pinned',
      '    version: v2',
      '    enabled:  true   # until the first export',
      '',
      'image: { tag: "1.10" }',
      '# end',
      '',
    ].join('\n'),
    version: 'v2',
  },
  {
    name: 'keeps a plain link plain and leaves a version alone that is not given',
    before: `staticExport:\n  enabled: true\n  bundleUrl: ${old}\n  version: 1.10\n`,
    after: `staticExport:\n  enabled: true\n  bundleUrl: ${url}\n  version: 1.10\n`,
  },
  {
    name: 'quotes a version that YAML would take for a number',
    before: `staticExport: {enabled: true, bundleUrl: "${url}", version: v1}\n`,
    after: `staticExport: {enabled: true, bundleUrl: "${url}", version: "1.10"}\n`,
    version: '1.10',
  },
  {
    name: 'adds what is missing below its siblings, with the indentation of the file',
    before: 'a:\n    b: 1\nstaticExport:\n    enabled: false\n    # bundleUrl: ""\n\nother: 1\n',
    after: `a:\n    b: 1\nstaticExport:\n    enabled: true\n    # bundleUrl: ""\n    bundleUrl: "${url}"\n\nother: 1\n`,
  },
  {
    name: 'adds below a nested map and the comments that belong to it',
    before:
      'staticExport:\n  enabled: yes\n  cache:\n    size: 1\n    # ttl: 2\n# other\nother: 1\n',
    after: `staticExport:\n  enabled: true\n  cache:\n    size: 1\n    # ttl: 2\n  bundleUrl: "${url}"\n# other\nother: 1\n`,
  },
  {
    name: 'adds below a text in a block, before the blank lines that follow',
    before: 'staticExport:\n  note: |\n    two\n    lines\n\n\nother: 1\n',
    after: `staticExport:\n  note: |\n    two\n    lines\n  enabled: true\n  bundleUrl: "${url}"\n\n\nother: 1\n`,
  },
  {
    name: 'adds below a text in a block that keeps its blank lines',
    before: 'staticExport:\n  note: |+\n    two\n\nother: 1\n',
    after: `staticExport:\n  note: |+\n    two\n\n  enabled: true\n  bundleUrl: "${url}"\nother: 1\n`,
  },
  {
    name: 'adds below a text in a block that the file ends with',
    before: 'a: |+\n  x',
    after: `a: |+\n  x\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"`,
  },
  {
    name: 'appends to the top with the step of the file, behind its last comments',
    before: 'image:\n    tag: x\n    # pull: Always\n',
    after: `image:\n    tag: x\n    # pull: Always\nstaticExport:\n    enabled: true\n    bundleUrl: "${url}"\n`,
  },
  {
    name: 'sets it apart with a blank line where the file does so',
    before: 'a: 1\n\nb:\n- 1\n- 2',
    after: `a: 1\n\nb:\n- 1\n- 2\n\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"`,
  },
  {
    name: 'stays before the mark of the document’s end',
    before: '---\na: 1\n...\n',
    after: `---\na: 1\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"\n...\n`,
  },
  {
    name: 'keeps Windows line ends and a byte order mark',
    before: '\uFEFFa: 1\r\nstaticExport:\r\n  enabled: false\r\nb: 2\r\n',
    after: `\uFEFFa: 1\r\nstaticExport:\r\n  enabled: true\r\n  bundleUrl: "${url}"\r\nb: 2\r\n`,
  },
  {
    name: 'keeps Windows line ends when it appends to the top',
    before: '\uFEFFa: 1\r\n',
    after: `\uFEFFa: 1\r\nstaticExport:\r\n  enabled: true\r\n  bundleUrl: "${url}"\r\n`,
  },
  {
    name: 'fills a key without a value',
    before: 'staticExport: # later\n  # enabled: true\nb: 2\n',
    after: `staticExport: # later\n  enabled: true\n  bundleUrl: "${url}"\n  # enabled: true\nb: 2\n`,
  },
  {
    name: 'puts keys in the place of an empty map',
    before: 'a:\n  b: 1\nstaticExport: {} # none yet\nc: 1\n',
    after: `a:\n  b: 1\nstaticExport: # none yet\n  enabled: true\n  bundleUrl: "${url}"\nc: 1\n`,
  },
  {
    name: 'puts keys in the place of null at the end of the file',
    before: 'staticExport: null',
    after: `staticExport:\n  enabled: true\n  bundleUrl: "${url}"`,
  },
  {
    name: 'fills keys that are there without a value',
    before: 'staticExport:\n  enabled:\n  bundleUrl: # from CI\n  version: ~\n',
    after: `staticExport:\n  enabled: true\n  bundleUrl: "${url}" # from CI\n  version: "v3"\n`,
    version: 'v3',
  },
  {
    name: 'makes a boolean of a quoted "true"',
    before: `staticExport:\n  enabled: "true"\n  bundleUrl: "${url}"\n`,
    after: `staticExport:\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'puts a quoted link in the place of a folded one',
    before: `staticExport:\n  enabled: true\n  bundleUrl: >- # long\n    ${old}\n\nb: 1\n`,
    after: `staticExport:\n  enabled: true\n  bundleUrl: "${url}" # long\n\nb: 1\n`,
  },
  {
    name: 'goes on within a flow map',
    before: 'staticExport: {enabled: false} # c\n',
    after: `staticExport: {enabled: true, bundleUrl: "${url}"} # c\n`,
  },
  {
    name: 'goes on within a flow map of several lines, with its comments',
    before: 'staticExport: {\n  enabled: true # on\n}\n',
    after: `staticExport: {\n  enabled: true, # on\n  bundleUrl: "${url}"\n}\n`,
  },
  {
    name: 'goes on behind a comma at the end of a flow map',
    before: 'staticExport: {\n  enabled: true,\n}\n',
    after: `staticExport: {\n  enabled: true,\n  bundleUrl: "${url}",\n}\n`,
  },
  {
    name: 'writes JSON into JSON',
    before: '{\n  "image": "x",\n  "staticExport": { "enabled": false }\n}\n',
    after: `{\n  "image": "x",\n  "staticExport": { "enabled": true, "bundleUrl": "${url}" }\n}\n`,
  },
  {
    name: 'adds JSON to JSON',
    before: '{\n  "image": "x"\n}\n',
    after: `{\n  "image": "x",\n  "staticExport": { "enabled": true, "bundleUrl": "${url}" }\n}\n`,
  },
  {
    name: 'fills an empty map within a flow map',
    before: 'docs: {a: 1, staticExport: {}}\n',
    after: `docs: {a: 1, staticExport: { enabled: true, bundleUrl: "${url}" }}\n`,
  },
  {
    name: 'fills a flow map that has only a comment',
    before: 'staticExport: { # none yet\n}\n',
    after: `staticExport: { enabled: true, bundleUrl: "${url}" # none yet\n}\n`,
  },
  {
    name: 'edits the one sub-chart that has the keys',
    before: 'global: {}\ndocs:\n  staticExport:\n    enabled: false\n',
    after: `global: {}\ndocs:\n  staticExport:\n    enabled: true\n    bundleUrl: "${url}"\n`,
  },
  {
    name: 'edits the top where a sub-chart has the keys too',
    before: 'docs:\n  staticExport:\n    enabled: false\nstaticExport:\n  enabled: false\n',
    after: `docs:\n  staticExport:\n    enabled: false\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'leaves anchors, aliases and merge keys elsewhere as they are',
    before:
      'x: &x { a: 1 }\ny: *x\nz:\n  <<: *x\n  b: 2\nstaticExport:\n  <<: *x\n  enabled: false\n',
    after: `x: &x { a: 1 }\ny: *x\nz:\n  <<: *x\n  b: 2\nstaticExport:\n  <<: *x\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'overrides a link that is merged before it',
    before: `x: &x { bundleUrl: "${old}" }\nstaticExport:\n  <<: *x\n  enabled: true\n`,
    after: `x: &x { bundleUrl: "${old}" }\nstaticExport:\n  <<: *x\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'adds to a top that merges what has nothing of the kind',
    before: 'x: &x { a: 1 }\n<<: *x\n',
    after: `x: &x { a: 1 }\n<<: *x\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'keeps an anchor that nothing refers to',
    before: `staticExport: &s\n  enabled: true\n  bundleUrl: &u "${old}"\n`,
    after: `staticExport: &s\n  enabled: true\n  bundleUrl: &u "${url}"\n`,
  },
  {
    name: 'puts the link in the place of an alias to another one',
    before: `other: &u "${old}"\nstaticExport:\n  enabled: true\n  bundleUrl: *u\n`,
    after: `other: &u "${old}"\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'knows a key in quotes',
    before: `"staticExport":\n  'enabled': false\n  "bundleUrl": ""\n`,
    after: `"staticExport":\n  'enabled': true\n  "bundleUrl": "${url}"\n`,
  },
  {
    name: 'takes template braces in quotes for a text',
    before: 'a: "{{ .Values.x }}"\n',
    after: `a: "{{ .Values.x }}"\nstaticExport:\n  enabled: true\n  bundleUrl: "${url}"\n`,
  },
  {
    name: 'keeps a file that is indented as a whole',
    before: '  a: 1\n  b: 2\n',
    after: `  a: 1\n  b: 2\n  staticExport:\n    enabled: true\n    bundleUrl: "${url}"\n`,
  },
];

describe('setDeployment', () => {
  for (const { name, before, after, version } of cases) {
    const deployment = { bundleUrl: url, version };

    it(name, () => {
      const edited = setDeployment(before, deployment);
      assert.equal(edited.text, after);
      assert.equal(applied(before, edited.edits), after, 'the edits make the same text');
      const { edits } = setDeployment(after, deployment);
      assert.deepEqual(edits, [], 'a second time changes nothing');
    });
  }

  it('changes only the lines that it has to change', () => {
    const before = `a: 1 # one\nstaticExport:\n  bundleUrl: "${old}" # two\n  enabled: true\nb: 2\n`;
    const { edits } = setDeployment(before, { bundleUrl: url });
    assert.deepEqual(
      edits.map(({ start, end }) => before.slice(start, end)),
      [`"${old}"`],
    );
  });

  it('writes what a YAML reader reads as a boolean and two texts', () => {
    for (const version of [
      '1.10',
      'on',
      'null',
      '2025-01-01',
      '0x1f',
      'a: b',
      '"\\',
      '№ 1\u2028',
    ]) {
      for (const before of [
        '',
        'staticExport: {version: old}\n',
        "staticExport:\n  version: 'x'\n",
      ]) {
        const { text } = setDeployment(before, { bundleUrl: url, version });
        const expected = { enabled: true, bundleUrl: url, version };
        assert.deepEqual(parse(text, { version: '1.1' }) as object, { staticExport: expected });
        assert.deepEqual(parse(text) as object, { staticExport: expected });
      }
    }
  });

  for (const [what, text, reason] of [
    ['a syntax error', 'a: 1\nb: "open\n', /^line 3 has a syntax error\.$/],
    ['a tab', 'a: 1\nstaticExport:\n\tenabled: true\n', /^line 3 is indented with a tab/],
    ['a key that is there twice', 'a: 1\nb: 2\na: 3\n', /^line 3 repeats a key/],
    ['several documents', 'a: 1\n---\nb: 2\n', /several YAML documents/],
    ['an empty second document', 'a: 1\n---\n', /several YAML documents/],
    ['a list at its top', '- a\n', /top level isn’t a map of keys and values/],
    ['a text at its top', 'hello\n', /top level isn’t a map of keys and values/],
    ['a template line', 'a: 1\n{{- if .Values.x }}\nb: 2\n{{- end }}\n', /is a template/],
    ['a template value', 'staticExport: {{ .Values.x | toYaml }}\n', /is a template/],
    ['a number as staticExport', 'staticExport: 1\n', /“staticExport” isn’t a map/],
    ['a list as staticExport', 'staticExport: [a]\n', /“staticExport” isn’t a map/],
    [
      'a list as bundleUrl',
      'staticExport:\n  bundleUrl: [a]\n',
      /“staticExport.bundleUrl” is a list or a map/,
    ],
    ['an alias', 'x: &x {enabled: true}\nstaticExport: *x\n', /an alias .* shares/],
    ['an aliased map', 'staticExport: &x {enabled: true}\ny: *x\n', /an alias .* shares/],
    [
      'a map merged elsewhere',
      'staticExport: &x {enabled: true}\ny: {<<: *x}\n',
      /alias .* shares/,
    ],
    ['an aliased link', `staticExport:\n  bundleUrl: &u ${old}\ny: *u\n`, /alias .* shares/],
    ['an aliased sub-chart', 'd: &d\n  staticExport: {enabled: true}\ne: *d\n', /alias .* shares/],
    ['a merge at its top', 'x: &x {staticExport: {enabled: true}}\n<<: *x\n', /alias .* shares/],
    [
      'several sub-charts',
      'a: {staticExport: {enabled: true}}\nb: {staticExport: {enabled: true}}\n',
      /several charts/,
    ],
    ['a merge of a list’s map', 'x: [&a {staticExport: {}}]\n<<: *a\n', /a merge key \(<<\)/],
    [
      'a merge after the link',
      `x: &x {bundleUrl: ${old}}\nstaticExport:\n  bundleUrl: ${old}\n  <<: *x\n`,
      /a merge key \(<<\) can set “bundleUrl”/,
    ],
    [
      'a merge of a merge after the link',
      `x: &x {bundleUrl: ${old}}\ny: &y {<<: [*x]}\nstaticExport: {bundleUrl: ${old}, <<: *y}\n`,
      /a merge key \(<<\) can set “bundleUrl”/,
    ],
    [
      'a merge after the map',
      'x: [&x {staticExport: {enabled: true}}]\nstaticExport: {}\n<<: *x\n',
      /a merge key \(<<\) can set “staticExport”/,
    ],
    [
      'a sub-chart that merges a list’s map',
      'x: [&x {staticExport: {enabled: true}}]\ndocs:\n  <<: *x\n',
      /an alias .* shares/,
    ],
    [
      'a sub-chart that is an alias of a list’s map',
      'x: [&x {staticExport: {enabled: true}}]\ndocs: *x\na: {staticExport: {enabled: true}}\n',
      /an alias .* shares/,
    ],
    ['keys behind question marks', '? a\n: b\n', /too unusual/],
    ['a tag of its own', `staticExport:\n  bundleUrl: !vault "${old}"\n`, /too unusual/],
    [
      'a file that SOPS has encrypted',
      'staticExport:\n  bundleUrl: ENC[AES256_GCM,data:x,type:str]\nsops:\n  mac: ENC[AES256_GCM,data:x]\n',
      /^it is encrypted with SOPS/,
    ],
    ['no end of brackets', '['.repeat(5000), /nested too deeply/],
    ['no end of brackets behind comments', '[ #]\n'.repeat(5000), /nested too deeply/],
    ['no end of dashes', '- '.repeat(5000), /nested too deeply/],
    ['a file of megabytes', '# values\n'.repeat(300_000), /too large/],
  ] as const) {
    it(`refuses ${what}, and says where or what`, () => {
      assert.throws(
        () => setDeployment(text, { bundleUrl: url }, 'docs/values.yaml'),
        (error) =>
          error instanceof ExportError &&
          error.code === 'values-not-usable' &&
          error.details.path === 'docs/values.yaml' &&
          reason.test(error.details.reason?.(plainTranslate) ?? ''),
      );
    });
  }

  it('quotes nothing from the file when it refuses', () => {
    const text = `staticExport:\n  bundleUrl: "${old}" oops\n`;
    assert.throws(
      () => setDeployment(text, { bundleUrl: url }),
      (error) => error instanceof ExportError && !JSON.stringify(error.details).includes('store.'),
    );
  });
});
