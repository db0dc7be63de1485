/** `docs-assistant bundle hosting`: configurations of servers for a bundle. Writes with `node:fs`. */
import path from 'node:path';
import type { Translate } from '../../common/errors';
import {
  defaultSettings,
  hostingConfiguration,
  isHostName,
  isListenAddress,
  isServerFolder,
  serverTitle,
} from '../../export/hosting/hostingFiles';
import { planFiles, readRedirects, writeFiles } from '../../export/hosting/hostingFolder';
import { hostingServers, type HostingServer } from '../../export/hosting/hostingSite';
import type { Redirect } from '../../export/hosting/redirects';
import type { HostingSettings } from '../../export/hosting/servers/common';
import { surveyInWorker } from '../../export/hosting/surveyInWorker';
import { runReported } from '../commandReporter';
import { CliError, exitCodes, type CliContext } from '../context';
import { statNamed } from '../namedFile';
import { openBundleFolder } from './bundleFolder';

/** Options of the command, as the parser of arguments returns them. */
export interface HostingOptions {
  readonly for: string;
  readonly output: string;
  readonly redirects?: string;
  readonly root?: string;
  readonly host?: string;
  readonly listen?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** Writes the configurations. @returns the exit code. Failures have been reported then. */
export async function runHosting(
  named: string,
  options: HostingOptions,
  context: CliContext,
): Promise<number> {
  const { cwd, distFolder, signal, t } = context;
  return runReported(context, options, async (reporter, atEnd) => {
    const servers = parseServers(options.for, t);
    const settings = parseSettings(options, t);
    const redirects = await redirectsOf(options, context);
    const folder = path.resolve(cwd, options.output);
    const bundle = await openBundleFolder(named, reporter, context);
    atEnd(bundle.close);
    const site = await surveyInWorker({
      script: path.join(distFolder, 'surveySite.js'),
      root: bundle.folder,
      redirects,
      signal,
      onProgress: ({ pages, totalPages }) =>
        reporter.progress(
          'hosting',
          { event: 'reading', pages, totalPages },
          t('Reading {0}: {1} of {2} pages…', bundle.label, pages, totalPages),
        ),
    });
    const configurations = servers.map((server) => hostingConfiguration(site, server, settings, t));
    const files = await planFiles(folder, configurations);
    const changed = files.find(({ state }) => state === 'changed');
    if (changed && options.force !== true) {
      throw new CliError(
        exitCodes.file,
        t('{0} already exists and differs. Add --force to replace it.', changed.path),
      );
    }
    await writeFiles(files);
    for (const { server, policy, notes, files: own } of configurations) {
      const names = own.map(({ name }) => (servers.length > 1 ? `${server}/${name}` : name));
      reporter.tell(
        { event: 'hosting', server, folder, files: names, policy, notes },
        t('{0}: {1}', serverTitle(server), names.join(', ')),
        ...notes.map((note) => `- ${note}`),
      );
    }
    return exitCodes.ok;
  });
}

function parseServers(text: string, t: Translate): HostingServer[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const known = hostingServers.filter((server) => names.includes(server));
  const unknown = names.find((name) => !hostingServers.some((server) => server === name));
  if (unknown === undefined) return known;
  throw new CliError(
    exitCodes.usage,
    t('--for doesn’t accept “{1}”. Choose from {0}.', hostingServers.join(', '), unknown),
  );
}

function parseSettings({ root, host, listen }: HostingOptions, t: Translate): HostingSettings {
  const settings = { ...defaultSettings, ...(root && { root }), ...(host && { host }) };
  if (!isServerFolder(settings.root)) {
    throw new CliError(exitCodes.usage, t('--root takes an absolute path, such as /srv/docs.'));
  }
  if (!isHostName(settings.host)) {
    throw new CliError(exitCodes.usage, t('--host takes a host name, such as docs.example.com.'));
  }
  if (listen === undefined) return settings;
  if (!isListenAddress(listen)) {
    throw new CliError(
      exitCodes.usage,
      t('--listen takes an address with a port, such as 127.0.0.1:8080.'),
    );
  }
  return { ...settings, listen };
}

async function redirectsOf(
  { redirects: file }: HostingOptions,
  { cwd, t }: CliContext,
): Promise<readonly Redirect[]> {
  if (file === undefined) return [];
  const place = path.resolve(cwd, file);
  await statNamed(place, file, t);
  const redirects = await readRedirects(place);
  if (redirects) return redirects;
  throw new CliError(
    exitCodes.notFound,
    t('{0} has no redirects. Use a file that “bundle diff --redirects” wrote.', file),
  );
}
