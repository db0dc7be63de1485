import assert from 'node:assert/strict';
import { CliError, exitCodes } from '../../../../src/cli/context';
import { exportFailure } from '../../../../src/cli/export/exportFailure';
import { namedEndpoint, namedExportTarget } from '../../../../src/cli/export/exportTarget';
import { plainTranslate as t } from '../../../../src/common/errors';
import { ExportError, exportErrorCodes } from '../../../../src/export/exportErrors';

const key = 'acme_Canary7Qx2mVb9Kt4Wn3Lp5';
const env = { DOCS_ASSISTANT_ADMIN_KEY: key, DOCS_ASSISTANT_API_URL: 'https://api.example.com/v1' };
const endpoint = { url: 'https://api.example.com' };

function refused(action: () => unknown, exitCode: number, sentence: RegExp): void {
  assert.throws(action, (error) => {
    assert.ok(error instanceof CliError);
    assert.equal(error.exitCode, exitCode);
    assert.match(error.message, sentence);
    assert.doesNotMatch(error.message, /Canary/);
    return true;
  });
}

describe('namedEndpoint', () => {
  it('reads the key from the environment, and prefers options to the environment', () => {
    assert.deepEqual(namedEndpoint({}, { env, t }), { ...endpoint, adminKey: key });
    const apiUrl = 'http://127.0.0.1:4000/';
    assert.equal(namedEndpoint({ apiUrl }, { env, t }).url, 'http://127.0.0.1:4000');
  });

  it('names the option in a sentence about its URL', () => {
    const at = (): unknown => namedEndpoint({ apiUrl: 'ftp://x' }, { env, t });
    refused(at, exitCodes.usage, /^--api-url: The base URL must start with https/);
  });

  it('refuses keys of other kinds, and what can’t be sent in a header', () => {
    const at = (text: string | undefined): (() => unknown) => {
      return () => namedEndpoint({}, { env: { ...env, DOCS_ASSISTANT_ADMIN_KEY: text }, t });
    };
    refused(at(undefined), exitCodes.key, /Set DOCS_ASSISTANT_ADMIN_KEY to the admin key of api/);
    refused(at('acme_dsc_Canary0123456789'), exitCodes.key, /an assistant key and was not sent/);
    refused(at('acme_us_Canary0123456789'), exitCodes.key, /doesn’t look like an admin key/);
    refused(at('Canary'), exitCodes.key, /doesn’t look like an admin key/);
    refused(at('acme_Canary 012345'), exitCodes.key, /can’t contain spaces/);
  });
});

describe('namedExportTarget', () => {
  it('normalizes the site, the label and the paths', () => {
    const options = {
      domain: 'https://Docs.Example.com/start',
      label: ' v2 ',
      path: ['guides/', '/api', '/guides', '//guides//'],
    };
    assert.deepEqual(namedExportTarget(options, endpoint, { env, t }), {
      apiUrl: endpoint.url,
      exportDomain: 'docs.example.com',
      label: 'v2',
      paths: ['/api', '/guides'],
    });
    const bare = namedExportTarget({}, endpoint, { env: { DOCS_ASSISTANT_DOMAIN: 'a.test' }, t });
    const none = { label: undefined, paths: undefined };
    assert.deepEqual(bare, { apiUrl: endpoint.url, exportDomain: 'a.test', ...none });
  });

  it('refuses values that a service can’t accept', () => {
    const at = (options: Parameters<typeof namedExportTarget>[0]): (() => unknown) => {
      return () => namedExportTarget({ domain: 'a.test', ...options }, endpoint, { env, t });
    };
    for (const path of ['../up', 'https://a.test/guides', '/a?b', '/a b', '/'.padEnd(600, 'x')]) {
      refused(at({ path: [path] }), exitCodes.usage, /not a path of a site/);
    }
    refused(at({ label: ' ' }), exitCodes.usage, /--label/);
    refused(at({ label: 'x'.repeat(201) }), exitCodes.usage, /up to 200/);
    refused(() => namedExportTarget({}, endpoint, { env: {}, t }), exitCodes.notSetUp, /--domain/);
  });
});

describe('exportFailure', () => {
  it('has an exit code for each error, and never sends the reader to the editor', () => {
    const foreign = new Set(['workspace-not-trusted', 'local-service-stopped', 'preview-failed']);
    for (const code of exportErrorCodes) {
      const error = new ExportError(code, { host: 'api.test', path: '/tmp/x', causeCode: 'EROFS' });
      const failure = exportFailure(error, t);
      assert.ok(failure, code);
      const { exitCode, message } = failure;
      assert.ok(exitCode > 0 && Number.isInteger(exitCode), code);
      if (foreign.has(code)) continue;
      assert.doesNotMatch(message, /VS Code|settings|the log|command palette|window/i, code);
    }
  });

  it('says what failed when a site could not be enhanced', () => {
    const error = new ExportError('enhance-failed', { path: 'site', causeCode: 'EIO' });
    assert.match(exportFailure(error, t)?.message ?? '', /^Changing “site” failed \(EIO\)/);
  });
});
