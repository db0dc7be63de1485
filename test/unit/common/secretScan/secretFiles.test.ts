import assert from 'node:assert/strict';
import { isSecretFile } from '../../../../src/common/secretScan/secretFiles';

describe('a file that usually holds secrets', () => {
  for (const path of [
    '.env',
    'app/.env.local',
    '.env.production',
    'config/prod.env',
    '.envrc',
    'certs/server.pem',
    'certs/server.KEY',
    'id_rsa',
    'keys/id_ed25519',
    'cert.p12',
    '.npmrc',
    '.netrc',
    'credentials',
    'google/credentials.json',
    'secrets.yaml',
    'helm/secrets.prod.yaml',
    'service-account-prod.json',
    'terraform.tfstate',
    'home/.aws/config',
    '.kube/config',
  ]) {
    it(`is ${path}`, () => assert.equal(isSecretFile(path), true));
  }

  for (const path of [
    '.env.example',
    '.env.sample',
    'env.ts',
    'src/environment.ts',
    'id_rsa.pub',
    'src/credentials.ts',
    'src/secrets.ts',
    'docs/secrets.md',
    'values.yaml',
    'package.json',
    'keyboard.ts',
    'src/keys.json',
    '.docker/Dockerfile',
  ]) {
    it(`is not ${path}`, () => assert.equal(isSecretFile(path), false));
  }
});
