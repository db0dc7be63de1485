/** *Generate Hosting Configuration…*: asks for a bundle, a server and a folder, and shows the files. */
import {
  defaultSettings,
  hostingConfiguration,
  isHostName,
  isServerFolder,
  serverTitle,
} from '../hosting/hostingFiles';
import { planFiles, readRedirects, type PlannedFile } from '../hosting/hostingFolder';
import { hostingServers, type HostingServer } from '../hosting/hostingSite';
import type { Redirect } from '../hosting/redirects';
import type { HostingSettings } from '../hosting/servers/common';
import { surveyInWorker } from '../hosting/surveyInWorker';
import { ExportError } from '../exportErrors';
import { exportCommands } from '../../common/contributions';
import type { BundlePorts, ExportHandlers } from './bundleCommands';
import { chooseSite } from './siteCommands';
import { pageProgress } from './texts';
import type { WindowUi } from '../../common/windowUi';

/** Services that the command uses. */
export interface HostingPorts extends BundlePorts {
  /** Absolute path of the built `surveyWorker.ts`. */
  readonly surveyScript: string;
  /** Folder that the dialog offers first, such as that of the workspace. */
  readonly defaultFolder: () => string | undefined;
  /**
   * Shows the files as diffs and writes them when the user applies them.
   * @returns whether they were written.
   */
  readonly review: (title: string, files: readonly PlannedFile[]) => Promise<boolean>;
}

const details = {
  nginx: 'docs-site.nginx.conf',
  caddy: 'Caddyfile',
  apache: 'docs-site.apache.conf',
  netlify: '_redirects, _headers',
  cloudflare: '_redirects, _headers',
  cloudfront: 'docs-site.cloudformation.yaml, docs-site.function.js',
} as const satisfies Record<HostingServer, string>;

export function hostingHandlers(ports: HostingPorts): ExportHandlers {
  return {
    [exportCommands.generateHosting]: async (node) => {
      const site = await chooseSite(ports, node);
      if (site) await generate(ports, site);
    },
  };
}

async function generate(
  ports: HostingPorts,
  { folder: root, label }: { readonly folder: string; readonly label: string },
): Promise<void> {
  const { ui, surveyScript: script } = ports;
  const { translate: t } = ui;
  const server = await ui.choose<HostingServer>(
    t('Generate a Hosting Configuration For'),
    hostingServers.map((value) => ({
      label: serverTitle(value),
      description: details[value],
      value,
    })),
  );
  const settings = server && (await askSettings(ui, server, label));
  const redirects = settings && (await askRedirects(ui));
  if (!server || !settings || !redirects) return;
  const defaultPath = ports.defaultFolder();
  const folder = await ui.chooseFolder({
    title: t('Folder for the Hosting Configuration'),
    button: t('Choose'),
    defaultPath,
  });
  if (folder === undefined) return;
  const survey = await ui.progress(t('Reading the pages of {0}', label), (show, signal) =>
    surveyInWorker({
      script,
      root,
      redirects,
      signal,
      onProgress: (progress) => show(pageProgress(progress, t)),
    }),
  );
  if (!survey) return;
  const configuration = hostingConfiguration(survey, server, settings, t);
  const files = await planFiles(folder, [configuration]);
  const names = files.map(({ name }) => name).join(', ');
  const changes = files.filter(({ state }) => state !== 'same');
  if (changes.length === 0) {
    void ui.inform(t('{0} already has this configuration.', names));
    return;
  }
  const title = t('Hosting Configuration for {0}', serverTitle(server));
  if (!(await ports.review(title, changes))) return;
  void ui.inform(
    configuration.notes.length === 0
      ? t('Wrote {0}. The comments at the top say how to use the configuration.', names)
      : t(
          'Wrote {0}. Before you deploy, read the notes at the top: {1}',
          names,
          configuration.notes.length,
        ),
  );
}

/** Asks for the settings of the user's own server. */
async function askSettings(
  ui: WindowUi,
  server: HostingServer,
  label: string,
): Promise<HostingSettings | undefined> {
  const { translate: t } = ui;
  // These hosts know the name of the site themselves.
  if (server === 'netlify' || server === 'cloudflare') return defaultSettings;
  const host = await ui.enter({
    title: t('Host Name of the Site'),
    prompt: t('Name at which readers open the site.'),
    placeholder: defaultSettings.host,
    value: /\./.test(label) && isHostName(label) ? label : defaultSettings.host,
    remarkOn: (text) =>
      isHostName(text.trim())
        ? undefined
        : { kind: 'error', text: t('Enter a host name, such as docs.example.com.') },
  });
  if (host === undefined) return undefined;
  if (server === 'cloudfront') return { ...defaultSettings, host: host.trim() };
  const root = await ui.enter({
    title: t('Folder on the Server'),
    prompt: t('Absolute path of the folder with the bundle’s files on the server.'),
    placeholder: defaultSettings.root,
    value: defaultSettings.root,
    remarkOn: (text) =>
      isServerFolder(text.trim())
        ? undefined
        : { kind: 'error', text: t('Enter an absolute path, such as /srv/docs.') },
  });
  return root === undefined ? undefined : { host: host.trim(), root: root.trim() };
}

async function askRedirects(ui: WindowUi): Promise<readonly Redirect[] | undefined> {
  const { translate: t } = ui;
  const chosen = await ui.choose<'none' | 'file'>(t('Redirects of Removed Pages'), [
    { label: t('No redirects'), value: 'none' },
    {
      icon: 'file',
      label: t('From a file…'),
      detail: t('Written by a comparison of two bundles.'),
      value: 'file',
    },
  ]);
  if (chosen !== 'file') return chosen && [];
  const file = await ui.chooseFile({ button: t('Choose'), filters: { JSON: ['json'] } });
  if (file === undefined) return undefined;
  const redirects = await readRedirects(file);
  if (redirects) return redirects;
  throw new ExportError('values-not-usable', {
    path: file,
    reason: (translate) => translate('it has no redirects that can be read.'),
  });
}
