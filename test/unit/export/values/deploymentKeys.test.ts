import assert from 'node:assert/strict';
import { plainTranslate } from '../../../../src/common/errors';
import { describeExportError, ExportError } from '../../../../src/export/exportErrors';
import { readDeploymentKeys } from '../../../../src/export/values/deploymentKeys';

const keysOf = (text: string): unknown[] => {
  const { enabled, bundleUrl, version } = readDeploymentKeys(text, 'values.yaml');
  return [enabled, bundleUrl, version];
};

describe('the keys of a deployment', () => {
  it('are those of staticExport', () => {
    const text =
      'staticExport:\n  enabled: true\n  bundleUrl: "https://a.example/b"\n  version: v2\n';
    assert.deepEqual(keysOf(text), [true, 'https://a.example/b', 'v2']);
  });

  it('are undefined where the file has none', () => {
    for (const text of ['', '# nothing\n', 'other: 1\n', 'staticExport:\n', '- a\n']) {
      assert.deepEqual(keysOf(text), [undefined, undefined, undefined], text);
    }
    assert.deepEqual(keysOf('staticExport: { enabled: false, bundleUrl: null }'), [
      false,
      undefined,
      undefined,
    ]);
  });

  it('keep the digits of a version that looks like a number', () => {
    assert.deepEqual(keysOf('staticExport: { version: 1.10 }')[2], '1.10');
  });

  it('take the booleans of YAML 1.1, as Helm does, but no quoted words', () => {
    const enabled = (value: string): unknown => keysOf(`staticExport: { enabled: ${value} }`)[0];
    assert.deepEqual(['off', 'No', 'FALSE'].map(enabled), [false, false, false]);
    assert.deepEqual(['on', 'YES', 'True'].map(enabled), [true, true, true]);
    assert.deepEqual(['"off"', "'yes'", 'oFf', 'none'].map(enabled), ['off', 'yes', 'oFf', 'none']);
    assert.equal(keysOf('staticExport: { version: on }')[2], 'on');
  });

  it('come from the only sub-chart that has them', () => {
    assert.deepEqual(keysOf('docs:\n  staticExport:\n    enabled: true\n')[0], true);
  });

  it('follow aliases and merge keys', () => {
    const text =
      'base: &base\n  enabled: true\n  bundleUrl: &url https://a.example/b\n' +
      'staticExport:\n  <<: *base\n  version: v1\nother: *url\n';
    assert.deepEqual(keysOf(text), [true, 'https://a.example/b', 'v1']);
  });

  it('are refused with the line of an error and without the text of the file', () => {
    const secret = 'X-Amz-Signature=CANARY';
    for (const text of [
      `staticExport:\n  bundleUrl: "https://a.example/?${secret}\n  enabled: [true\n`,
      `a:\n  staticExport: { bundleUrl: "${secret}" }\nb:\n  staticExport: { enabled: true }\n`,
      `staticExport: {{ .Values.x }}\n`,
      `a: 1\n---\nb: 2\n`,
    ]) {
      assert.throws(
        () => readDeploymentKeys(text, 'values.yaml'),
        (error: unknown) => {
          assert.ok(error instanceof ExportError);
          assert.equal(error.code, 'values-not-usable');
          const { message } = describeExportError(error, plainTranslate);
          assert.doesNotMatch(message, /CANARY/);
          return true;
        },
        text,
      );
    }
  });
});
