import assert from 'node:assert/strict';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { ProviderDown, SignIn } from '../../../../src/service/company/signIn';
import { type Answer, FakeFetch } from '../../../fakes/fakeFetch';

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
      const signIn = new SignIn(settings, new FakeFetch(...answers, ...later).fetch);
      await assert.rejects(signIn.personOf(token), ProviderDown);
      assert.deepEqual(await signIn.personOf(token), { subject: 'ada', groups: ['staff'] });
    });
  }
});
