/** Starts real web servers with a generated configuration, on a free port and with their own folders. */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { plainTranslate } from '../../src/common/errors';
import { hostingConfiguration } from '../../src/export/hosting/hostingFiles';
import type { HostingSite } from '../../src/export/hosting/hostingSite';
import { ensureWebServer } from '../tooling/webServers.mjs';

const execute = promisify(execFile);

/** A running host of a site. */
export interface RunningHost {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Policy that the configuration sets. */
  readonly policy: string;
  readonly stop: () => Promise<void>;
}

export type RealServer = 'nginx' | 'caddy' | 'apache';

const programs = { nginx: 'nginx', caddy: 'caddy', apache: 'apache2' } as const;

/** Maximum number of attempts with different ports, because another process can take a free port first. */
const ATTEMPTS = 5;

/**
 * Starts a server with the configuration that is generated for it. The server first checks the
 * configuration itself.
 *
 * @param root folder with the site, or with its base path.
 * @returns undefined if the server isn't installed and no package can install it.
 */
export async function startRealServer(
  server: RealServer,
  root: string,
  site: HostingSite,
): Promise<RunningHost | undefined> {
  const program = await ensureWebServer(programs[server]);
  if (program === undefined) return undefined;
  for (let attempt = 1; ; attempt++) {
    const folder = await mkdtemp(path.join(os.tmpdir(), `docs-${server}-`));
    // A server that root starts reads its files as another user.
    await chmod(folder, 0o755);
    const listen = `127.0.0.1:${await freePort()}`;
    const settings = { root, host: '127.0.0.1', listen };
    const { files, policy } = hostingConfiguration(site, server, settings, plainTranslate);
    const [file] = files;
    assert.ok(file);
    await writeFile(path.join(folder, file.name), file.content);
    const { check, start, env } = await commandsOf(server, folder, file.name, listen);
    const options = { cwd: folder, env: { ...process.env, ...env } };
    await execute(program, check, options);
    const child = spawn(program, start, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    }
    const ended = once(child, 'exit');
    const stop = async (): Promise<void> => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await ended;
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    };
    const trying = new AbortController();
    const origin = `http://${listen}`;
    const isUp = await Promise.race([
      ended.then(() => false),
      sendsPolicy(origin, policy, trying.signal),
    ]);
    trying.abort();
    if (isUp) return { origin, policy, stop };
    await stop();
    if (attempt >= ATTEMPTS) throw new Error(`${server} did not start: ${said.slice(-2000)}`);
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  assert.ok(address !== null && typeof address === 'object');
  return address.port;
}

/** Waits until the server answers with its policy. Another process may have taken the port. */
async function sendsPolicy(origin: string, policy: string, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    const answer = await fetch(`${origin}/`, { signal }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer) return answer.headers.get('content-security-policy') === policy;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

interface Commands {
  readonly check: readonly string[];
  readonly start: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Writes what surrounds the generated file, and returns how to check and start the server. */
async function commandsOf(
  server: RealServer,
  folder: string,
  file: string,
  listen: string,
): Promise<Commands> {
  const main = path.join(folder, 'main.conf');
  switch (server) {
    case 'nginx': {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `  ${name}_temp_path ${folder}/${name};`)
        .join('\n');
      await writeFile(
        main,
        `daemon off;\nmaster_process off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;
events {}
http {
  include /etc/nginx/mime.types;
  default_type application/octet-stream;
  access_log off;
${temporary}
  include ${folder}/${file};
}
`,
      );
      const common = ['-p', folder, '-c', main, '-e', path.join(folder, 'error.log')];
      return { check: ['-t', ...common], start: common };
    }
    case 'caddy': {
      const options = 'admin off\n\tauto_https off\n\tdefault_bind 127.0.0.1';
      await writeFile(main, `{\n\t${options}\n}\nimport ${folder}/${file}\n`);
      const common = ['--config', main, '--adapter', 'caddyfile'];
      const env = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
      return { check: ['validate', ...common], start: ['run', ...common], env };
    }
    case 'apache': {
      await mkdir(path.join(folder, 'run'));
      const modules = '/usr/lib/apache2/modules';
      // The modules that Debian turns on, and the modules that the generated file needs.
      const names =
        'mpm_event authz_core mime alias autoindex dir negotiation filter deflate headers rewrite';
      await writeFile(
        main,
        `ServerRoot ${folder}\nServerName 127.0.0.1\nListen ${listen}\nPidFile ${folder}/apache.pid
DefaultRuntimeDir ${folder}/run\nErrorLog ${folder}/error.log\nUser www-data\nGroup www-data
${names
  .split(' ')
  .map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`)
  .join('\n')}
${existsSync('/etc/mime.types') ? 'TypesConfig /etc/mime.types' : 'TypesConfig /dev/null\nAddType text/html .html\nAddType text/css .css\nAddType text/javascript .js\nAddType image/svg+xml .svg\nAddType application/xml .xml'}
Include ${folder}/${file}
`,
      );
      return { check: ['-t', '-f', main], start: ['-f', main, '-DFOREGROUND'] };
    }
  }
}
