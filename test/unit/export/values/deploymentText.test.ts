import assert from 'node:assert/strict';
import { parse } from 'yaml';
import {
  deploymentText,
  type Deployment,
  offeredVersion,
} from '../../../../src/export/values/deploymentText';

const deployments: readonly (readonly [what: string, deployment: Deployment])[] = [
  ['a link alone', { bundleUrl: 'https://s.example.com/b.tgz' }],
  ['a presigned link', { bundleUrl: 'https://s.example.com/b.tgz?a=1&b=%2F%3D&c=$HOME`x`!!' }],
  ['commas and braces', { bundleUrl: '{https://s.example.com/a,b/{c}?d=[1,2]' }],
  ['backslashes', { bundleUrl: 'https://s.example.com/a\\b?c=\\,\\' }],
  ['quotes', { bundleUrl: `https://s.example.com/it's?"a"='b'` }],
  ['equals signs and dots', { bundleUrl: 'https://s.example.com/?a.b[0]==c' }],
  ['no link', { bundleUrl: '' }],
  ...[
    'v2',
    '1.10',
    'true',
    'null',
    '007',
    '1e3',
    '2025-01-01',
    "o'clock",
    '# 1',
    ' ',
    '\u2028\u0085',
  ].map((version): [string, Deployment] => [
    `the version ${JSON.stringify(version)}`,
    { bundleUrl: 'https://s.example.com/b.tgz', version },
  ]),
];

/**
 * Returns the words of a command line, as a POSIX shell makes them of single quotes and
 * backslashes.
 */
function shellWords(line: string): string[] {
  const words = line.match(/(?:'[^']*'|\\.|[^\s'\\])+/gs) ?? [];
  assert.equal(words.join(' '), line, 'nothing is left outside the words');
  return words.map((word) => {
    const bare = word.replace(/'[^']*'|\\./gs, '');
    assert.match(bare, /^[\w.=-]*$/, 'nothing outside quotes that a shell would act on');
    return word.replace(/'([^']*)'|\\(.)/gs, (_all, quoted?: string, escaped?: string) => {
      return quoted ?? escaped ?? '';
    });
  });
}

/**
 * Returns the values that Helm's `strvals` parser makes of `--set` and `--set-string`, as far as
 * such flags go. A key ends at `=`, its parts at `.`. A value ends at `,`, where the next key
 * begins. `{` at its start begins a list. A backslash takes the next character as it is. `--set`
 * gives `true`, `false`, `null` and whole numbers their types, `--set-string` none.
 */
function helmValues(flags: readonly string[]): object {
  const values: Record<string, Record<string, unknown>> = {};
  for (let index = 0; index < flags.length; index += 2) {
    const [flag = '', argument = ''] = [flags[index], flags[index + 1]];
    const [, key = '', raw = ''] = /^([^=,]*)=(.*)$/s.exec(argument) ?? [];
    assert.ok(!raw.startsWith('{'), 'a list');
    let text = '';
    for (let at = 0; at < raw.length; at++) {
      if (raw[at] === '\\') at++;
      else assert.notEqual(raw[at], ',', 'a second key');
      text += raw[at] ?? '';
    }
    const [parent = '', child = ''] = key.split('.');
    const typed = /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
    (values[parent] ??= {})[child] = flag === '--set' ? typed : text;
    assert.ok(flag === '--set' || flag === '--set-string');
  }
  return values;
}

describe('deploymentText', () => {
  for (const [what, deployment] of deployments) {
    const expected = { staticExport: { enabled: true, ...deployment } };

    it(`writes YAML that YAML 1.1 and 1.2 read alike, with ${what}`, () => {
      const text = deploymentText(deployment, 'yaml');
      assert.deepEqual(parse(text), expected);
      assert.deepEqual(parse(text, { version: '1.1' }), expected);
    });

    it(`writes JSON, with ${what}`, () => {
      assert.deepEqual(JSON.parse(deploymentText(deployment, 'json')), expected);
    });

    it(`writes flags that a shell and Helm read back, with ${what}`, () => {
      const words = shellWords(deploymentText(deployment, 'helm'));
      assert.deepEqual(helmValues(words), expected);
    });
  }

  it('indents as values files do and ends with a line break', () => {
    assert.equal(
      deploymentText({ bundleUrl: 'https://s.example.com/b.tgz', version: 'v2' }, 'yaml'),
      'staticExport:\n  enabled: true\n  bundleUrl: "https://s.example.com/b.tgz"\n  version: "v2"\n',
    );
  });

  it('is one line of flags, in quotes that PowerShell reads alike', () => {
    assert.equal(
      deploymentText({ bundleUrl: 'https://s.example.com/b?a=1&b=2', version: 'v2' }, 'helm'),
      "--set staticExport.enabled=true --set-string 'staticExport.bundleUrl=https://s.example.com/b?a=1&b=2' --set-string 'staticExport.version=v2'",
    );
  });
});

describe('the version that is offered for an export', () => {
  for (const [what, record, expected] of [
    ['is its label', { label: 'v2.1' }, 'v2.1'],
    ['is none without a label', {}, ''],
    ['is none if the service took no label', { label: 'v2', leftOut: ['label'] }, ''],
    ['is none if the label can be no version', { label: 'two words' }, ''],
  ] as const) {
    it(what, () => assert.equal(offeredVersion(record), expected));
  }
});
