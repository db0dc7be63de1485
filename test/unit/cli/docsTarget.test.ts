import assert from 'node:assert/strict';
import { CliError, exitCodes } from '../../../src/cli/context';
import { namedTarget, type TargetOptions } from '../../../src/cli/docsTarget';
import { cacheFolder } from '../../../src/cli/places';
import { plainTranslate as t } from '../../../src/common/errors';

const key = 'acme_dsc_0123456789';
type Env = Readonly<Record<string, string>>;

const named = (options: TargetOptions, env: Env = {}): ReturnType<typeof namedTarget> =>
  namedTarget(options, { env, t });

function refused(options: TargetOptions, env: Env, exitCode: number, sentence: RegExp): void {
  assert.throws(
    () => named(options, env),
    (error) => {
      assert.ok(error instanceof CliError);
      assert.match(error.message, sentence);
      assert.equal(error.exitCode, exitCode);
      return true;
    },
  );
}

describe('namedTarget', () => {
  it('returns a site of the platform with its filters and timeout', () => {
    const target = named(
      {
        site: 'acme',
        baseUrl: 'https://platform.test/v2/',
        timeout: 7,
        filterVersion: '2.0',
        filterLanguage: 'de',
        filterGroup: ['admins', ''],
      },
      { DOCS_ASSISTANT_KEY: ` ${key}\n` },
    );
    assert.deepEqual(target, {
      kind: 'hosted',
      target: {
        label: 'acme · platform.test',
        key,
        spendsCredit: true,
        settings: {
          baseUrl: 'https://platform.test',
          assistantDomain: 'acme',
          fp: 'anonymous',
          retrievalPageSize: 5,
          idleTimeoutMs: 7000,
          headersTimeoutMs: 14_000,
          filter: { version: '2.0', language: 'de', groups: ['admins'] },
        },
      },
    });
  });

  it('reads missing options from the environment, and prefers options', () => {
    const env = {
      DOCS_ASSISTANT_KEY: key,
      DOCS_ASSISTANT_SITE: 'other',
      DOCS_ASSISTANT_BASE_URL: 'https://platform.test',
    };
    const target = named({ site: 'acme' }, env);
    assert.ok(target.kind === 'hosted');
    assert.equal(target.target.label, 'acme · platform.test');
    assert.deepEqual(named({}, { ...env, DOCS_ASSISTANT_DOCS: 'docs' }), {
      kind: 'local',
      docs: 'docs',
    });
    assert.equal(named({ site: 'acme' }, { ...env, DOCS_ASSISTANT_DOCS: 'docs' }).kind, 'hosted');
    assert.deepEqual(named({ docs: 'mine' }, env), { kind: 'local', docs: 'mine' });
  });

  it('finds site and base URL in the URL of the message endpoint', () => {
    const url = 'https://platform.test/v2/assistant/acme/message';
    for (const options of [{ baseUrl: url }, { site: url }]) {
      const target = named(options, { DOCS_ASSISTANT_KEY: key });
      assert.ok(target.kind === 'hosted');
      assert.equal(target.target.settings.baseUrl, 'https://platform.test');
      assert.equal(target.target.settings.assistantDomain, 'acme');
    }
  });

  it('spends no credit at a service on this machine', () => {
    const target = named(
      { site: 'sample', baseUrl: 'http://127.0.0.1:4000' },
      { DOCS_ASSISTANT_KEY: 'local_dsc_0123456789' },
    );
    assert.ok(target.kind === 'hosted' && !target.target.spendsCredit);
  });

  it('says what is missing', () => {
    const url = 'https://platform.test';
    refused({}, {}, exitCodes.notSetUp, /--docs .*--site/);
    refused({ site: 'acme' }, {}, exitCodes.notSetUp, /--base-url/);
    refused({ baseUrl: url }, { DOCS_ASSISTANT_KEY: key }, exitCodes.notSetUp, /--site/);
    refused(
      { site: 'acme', baseUrl: url },
      {},
      exitCodes.key,
      /DOCS_ASSISTANT_KEY.*platform\.test/,
    );
  });

  it('refuses contradictions, and URLs to which a key can’t be sent', () => {
    const env = { DOCS_ASSISTANT_KEY: key };
    refused({ docs: 'docs', site: 'acme' }, env, exitCodes.usage, /Choose one/);
    refused({ site: 'acme', baseUrl: 'http://platform.test' }, env, exitCodes.usage, /https/);
    refused({ site: 'a/../b', baseUrl: 'https://platform.test' }, env, exitCodes.usage, /site/);
  });

  it('refuses keys of another kind without showing them', () => {
    const site = { site: 'acme', baseUrl: 'https://platform.test' };
    for (const wrong of ['acme_0123456789abcdef0123', 'acme_us_0123456789', 'word', 'two words']) {
      assert.throws(
        () => named(site, { DOCS_ASSISTANT_KEY: wrong }),
        (error) =>
          error instanceof CliError &&
          error.exitCode === exitCodes.key &&
          !error.message.includes(wrong),
        wrong,
      );
    }
  });
});

describe('cacheFolder', () => {
  it('is where each system keeps caches', () => {
    assert.equal(cacheFolder({ DOCS_ASSISTANT_CACHE: '/own' }, 'linux'), '/own');
    assert.equal(cacheFolder({ XDG_CACHE_HOME: '/xdg' }, 'linux'), '/xdg/docs-assistant');
    assert.match(cacheFolder({ XDG_CACHE_HOME: 'relative' }, 'linux'), /\.cache\/docs-assistant$/);
    assert.match(cacheFolder({}, 'darwin'), /Library\/Caches\/docs-assistant$/);
    assert.match(cacheFolder({ LOCALAPPDATA: '/local' }, 'win32'), /docs-assistant.Cache$/);
  });
});
