import assert from 'node:assert/strict';
import { plainTranslate } from '../../../src/common/errors';
import { isLookAlike, lookAlikeWarning } from '../../../src/site/lookAlikeHost';

/** Returns the host as a URL gives it, in ASCII. */
const ascii = (host: string): string => new URL(`https://${host}`).host;

describe('isLookAlike', () => {
  for (const [host, known] of [
    ['api.acrne.com', 'api.acme.com'],
    ['api.acme.co', 'api.acme.com'],
    ['api.acmme.com', 'api.acme.com'],
    ['api.amce.com', 'api.acme.com'],
    ['apl.acme.com', 'api.acme.com'],
    ['api-acme.com', 'api.acme.com'],
    ['api.acme.com.evil.net', 'api.acme.com'],
    ['api.g00gle.com', 'api.google.com'],
    ['аpi.acme.com', 'api.acme.com'],
    ['api.асме.com', 'api.acme.com'],
    ['api.ácme.com', 'api.acme.com'],
    ['docs.vvikis.com', 'docs.wikis.com'],
  ] as const) {
    it(`reports ${host} as similar to ${known}`, () => {
      assert.equal(isLookAlike(ascii(host), ascii(known)), true);
    });
  }

  for (const [host, known] of [
    ['api.acme.com', 'api.acme.com'],
    ['docs.api.acme.com', 'api.acme.com'],
    ['acme.com', 'api.acme.com'],
    ['api.acme.com:8443', 'api.acme.com'],
    ['docs.acme.com', 'api.acme.com'],
    ['api.globex.com', 'api.acme.com'],
    ['localhost:3000', '127.0.0.1:3000'],
    ['müller.de', 'api.acme.com'],
  ] as const) {
    it(`distinguishes ${host} from ${known}`, () => {
      assert.equal(isLookAlike(ascii(host), ascii(known)), false);
    });
  }
});

describe('lookAlikeWarning', () => {
  const warning = (host: string, ...known: string[]): string | undefined =>
    lookAlikeWarning(ascii(host), known, plainTranslate);

  it('names the host that the reader uses', () => {
    assert.equal(
      warning('api.acrne.com', 'docs.example.net', 'api.acme.com'),
      'api.acrne.com looks like api.acme.com, which you use, but it is another host.',
    );
  });

  it('shows a name with other letters in both forms', () => {
    assert.match(
      warning('аpple.example') ?? '',
      /^xn--pple-43d\.example is shown as “аpple\.example”\. Its letters can make it look/,
    );
  });

  it('says nothing about a host that is in use, or that is not similar to one', () => {
    assert.equal(warning('api.acme.com', 'api.acme.com'), undefined);
    assert.equal(warning('api.globex.com', 'api.acme.com'), undefined);
    assert.equal(warning('müller.de', ascii('müller.de')), undefined);
  });
});
