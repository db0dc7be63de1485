/** Sentences of the program about a database that it can't use. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { Client } from 'pg';
import { databaseProblem } from '../../../src/service/company/postgres/databaseProblem';
import { type PostgresServer, startPostgres } from './postgresServer';

const program = path.resolve('dist/service/service.js');

/** Returns what the program prints about a database. */
function saidOf(url: string): Promise<string> {
  const env = { ...process.env, DATABASE_URL: url };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, 'keys', 'list'], { env }, (error, _stdout, stderr) => {
      if (error) resolve(stderr);
      else reject(new Error('the command succeeded'));
    });
  });
}

describe('a database that can’t be used', () => {
  it('is told in one sentence without the password if its URL is wrong or nothing listens', async () => {
    for (const [url, sentence] of [
      ['postgres://docs:sec#ret@127.0.0.1/docs', /^DATABASE_URL is not valid\. .*\n$/],
      ['postgres://docs:secret@127.0.0.1:1/docs', /^The database can't be reached \(ECONNREF.*\n$/],
    ] as const) {
      const said = await saidOf(url);
      assert.match(said, sentence);
      assert.doesNotMatch(said, /secret|sec#ret/);
    }
  });

  for (const [name, code, message, sentence] of [
    ['a wrong password', '28P01', 'x', /^PostgreSQL refuses the user or the password/],
    ['no password', undefined, 'SASL: SCRAM-SERVER: must be a string', /^PostgreSQL refuses the/],
    ['TLS that is demanded', '28000', 'x', /add sslmode=verify-full/],
    ['TLS that is not offered', undefined, 'The server does not support SSL connections', /Remove/],
    ['an unknown certificate', 'SELF_SIGNED_CERT_IN_CHAIN', 'x', /sslrootcert/],
    ['a replica', '25006', 'x', /must name the primary/],
    ['too many connections', '53300', 'x', /max_connections/],
  ] as const) {
    it(`is told in one sentence with what to do: ${name}`, () => {
      const error = Object.assign(new Error(message), code === undefined ? {} : { code });
      assert.match(databaseProblem(error) ?? '', sentence);
    });
  }

  describe('at a server', () => {
    let server: PostgresServer | undefined;
    before(async function () {
      server = await startPostgres();
      if (!server) this.skip();
    });
    after(() => server?.remove());

    it('is told in one sentence if it doesn’t exist, or its user may not create tables', async () => {
      assert.ok(server);
      const url = await server.newDatabase();
      assert.match(await saidOf(url.replace('test1', 'nodb')), /^DATABASE_URL names a .*\n$/);
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query('create role reader login');
      await client.end();
      const said = await saidOf(url.replace('//postgres@', '//reader@'));
      assert.match(said, /^The user of DATABASE_URL may not create tables and schemas\. .*\n$/);
    });
  });
});
