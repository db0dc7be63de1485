import assert from 'node:assert/strict';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { silentLog } from '../../../../src/common/ports';
import { ProviderDown, SignIn } from '../../../../src/service/company/signIn';
import { type Answer, FakeFetch } from '../../../fakes/fakeFetch';
import { RecordingLog } from '../../../fakes/recordingLog';

const settings = {
  issuer: 'https://login.acme.example',
  audience: 'docs-service',
  groupsClaim: 'groups',
  scopes: [],
};
const discovered: Answer = () =>
  Response.json({ issuer: settings.issuer, jwks_uri: `${settings.issuer}/keys` });

describe('signing in', () => {
  let token: string;
  let keys: Answer;

  before(async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    token = await new SignJWT({ groups: 'staff' })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(settings.issuer)
      .setAudience(settings.audience)
      .setSubject('ada')
      .setExpirationTime('1h')
      .sign(privateKey);
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k1' };
    keys = () => Response.json({ keys: [jwk] });
  });

  const html: Answer = () => new Response('<h1>Bad gateway</h1>');
  const unavailable: Answer = () => new Response('', { status: 503 });
  const unreachable: Answer = () => Promise.reject(new TypeError('fetch failed'));
  const failures: Record<string, readonly Answer[]> = {
    'can’t be reached': [unreachable],
    'answers for another issuer': [() => Response.json({ issuer: 'https://other.example' })],
    'has keys that can’t be reached': [discovered, unreachable],
    'answers with 503 for its keys': [discovered, unavailable],
    'answers with HTML for its keys': [discovered, html],
    'answers with something else for its keys': [discovered, () => Response.json({})],
  };
  for (const [condition, answers] of Object.entries(failures)) {
    it(`refuses no token while the provider ${condition}, and takes it afterwards`, async () => {
      const isDiscovered = answers.length > 1;
      const later = isDiscovered ? [keys] : [discovered, keys];
      const signIn = new SignIn(settings, {
        fetch: new FakeFetch(...answers, ...later).fetch,
        log: silentLog,
      });
      await assert.rejects(signIn.personOf(token), ProviderDown);
      assert.deepEqual(await signIn.personOf(token), { subject: 'ada', groups: ['staff'] });
    });
  }

  const place = 'https://login.acme.example/.well-known/openid-configuration';
  const slash: Answer = () =>
    Response.json({ issuer: `${settings.issuer}/`, jwks_uri: settings.issuer });
  const reset: Answer = () =>
    Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }));
  const told: readonly (readonly [sentence: string, ...answers: Answer[]])[] = [
    [`${place} names the issuer "https://login.acme.example/"`, slash],
    [`${place} answers with status 503`, unavailable],
    [`${place} can't be fetched (ECONNRESET)`, reset],
    [`${place} is no configuration of OpenID Connect`, html],
    ["its keys can't be had (ERR_JOSE_GENERIC)", discovered, unavailable],
  ];
  for (const [sentence, ...answers] of told) {
    it(`tells the operator that ${sentence}`, async () => {
      const log = new RecordingLog();
      const signIn = new SignIn(settings, { fetch: new FakeFetch(...answers).fetch, log });
      await assert.rejects(signIn.personOf(token), ProviderDown);
      assert.deepEqual(log.messages(), [`The provider of signIn can't be used: ${sentence}`]);
    });
  }

  it('tells the operator why a token is refused, with nothing of the token', async () => {
    const log = new RecordingLog();
    const { fetch } = new FakeFetch(discovered, keys, discovered, keys, discovered, keys);
    const other = new SignIn({ ...settings, audience: 'another' }, { fetch, log });
    assert.equal(await other.personOf(token), undefined);
    const claimed = new SignIn({ ...settings, groupsClaim: 'exp' }, { fetch, log });
    assert.equal(await claimed.personOf(token), undefined);
    const signIn = new SignIn(settings, { fetch, log });
    assert.equal(await signIn.personOf(`${token.slice(0, -6)}AAAAAA`), undefined);
    assert.deepEqual(log.messages(), [
      'A token was refused: ERR_JWT_CLAIM_VALIDATION_FAILED, claim "aud"',
      'A token was refused: its claim "exp" is no list of texts',
      'A token was refused: ERR_JWS_SIGNATURE_VERIFICATION_FAILED',
    ]);
  });
});
