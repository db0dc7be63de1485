import assert from 'node:assert/strict';
import { DocsAssistantError } from '../../../../src/common/errors';
import { ExportError } from '../../../../src/export/exportErrors';
import { WorkbenchEndpoints, type LocalExportSite } from '../../../../src/export/job/endpoints';
import { LOCAL_API } from '../../../../src/export/job/record';
import { MemoryKeyStore } from '../../../fakes/memoryKeyStore';

const key = 'qed_0123456789abcdef';

function someEndpoints(local?: LocalExportSite) {
  const keys = new MemoryKeyStore();
  const seen: string[] = [];
  const endpoints = new WorkbenchEndpoints({
    keys,
    local: () => local,
    seen: { add: (secret) => seen.push(secret) },
  });
  return { keys, seen, endpoints };
}

const isCode = (code: string, host?: string) => (error: unknown) =>
  error instanceof ExportError && error.code === code && error.details.host === host;

describe('WorkbenchEndpoints', () => {
  it('opens an API with the key of its origin, whatever its path', async () => {
    const { keys, endpoints } = someEndpoints();
    await keys.save('admin', 'https://api.example.com', key);
    assert.deepEqual(await endpoints.open('https://api.example.com/some/prefix'), {
      url: 'https://api.example.com/some/prefix',
      adminKey: key,
    });
  });

  for (const apiUrl of [
    'https://api.example.com:8443',
    'https://api.example.com.evil.example',
    'https://evil.example/https://api.example.com',
    'https://api.example.org',
  ]) {
    it(`has no key for ${apiUrl}`, async () => {
      const { keys, endpoints } = someEndpoints();
      await keys.save('admin', 'https://api.example.com', key);
      await assert.rejects(endpoints.open(apiUrl), isCode('no-admin-key', new URL(apiUrl).host));
    });
  }

  for (const apiUrl of [
    'http://api.example.com',
    'https://u:p@api.example.com',
    'file:///etc',
    'x',
  ]) {
    it(`does not open a stored ${apiUrl}, whatever keys exist`, async () => {
      const { keys, endpoints } = someEndpoints();
      await keys.save('admin', 'http://api.example.com', key);
      await keys.save('admin', 'https://api.example.com', key);
      await keys.save('admin', 'null', key);
      await assert.rejects(endpoints.open(apiUrl), isCode('no-admin-key'));
    });
  }

  it('never uses an assistant key', async () => {
    const { keys, endpoints } = someEndpoints();
    await keys.save('assistant', 'https://api.example.com', 'qed_dsc_0123456789abcdef');
    await assert.rejects(
      endpoints.open('https://api.example.com'),
      isCode('no-admin-key', 'api.example.com'),
    );
  });

  it('opens the local docs service on any port, and adds its key to the log filter', async () => {
    const local = { url: 'http://127.0.0.1:4711', domain: 'sample', adminKey: 'local_abc123' };
    const { seen, endpoints } = someEndpoints(local);
    assert.deepEqual(await endpoints.open(LOCAL_API), {
      url: 'http://127.0.0.1:4711',
      adminKey: 'local_abc123',
    });
    assert.deepEqual(seen, ['local_abc123']);
  });

  it('says that the local docs service is not running', async () => {
    const { endpoints } = someEndpoints();
    await assert.rejects(endpoints.open(LOCAL_API), isCode('local-service-stopped'));
  });

  it('reports failing secret storage, and uses no other key', async () => {
    const { keys, endpoints } = someEndpoints();
    keys.failure = new DocsAssistantError('secret-store-failed');
    await assert.rejects(endpoints.open('https://api.example.com'), keys.failure);
  });
});
