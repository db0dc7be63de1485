/** The command *Switch Site…*, loaded on first use. */
import type * as vscode from 'vscode';
import type { Clock, Log, NewId } from '../../common/ports';
import { setRow } from '../../service/sets/docsPick';
import { DocsSets, type DocsSet } from '../../service/sets/docsSets';
import type { ActiveSite } from '../../site/activeSite';
import type { Recommendation } from '../../site/recommendedSites';
import { showSiteSwitch } from '../../site/siteSwitch';
import type { KeptSites } from '../../site/sites';
import { windowUi } from '../windowUi';
import type { LocalServiceEntry } from '../docs/localServiceEntry';
import { translate } from '../notifications';
import { recommendedSites } from './recommendations';

interface SwitchSitePorts {
  readonly globalState: vscode.Memento;
  readonly workspaceState: vscode.Memento;
  readonly site: ActiveSite;
  readonly sites: KeptSites;
  readonly localService: LocalServiceEntry;
  /** Keeps a recommended site. Resolves with whether it is asked now. */
  readonly accept: (recommendation: Recommendation) => Promise<boolean>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** Lets the reader choose which site is asked. Resolves with whether another one may be. */
export async function switchSite(ports: SwitchSitePorts): Promise<boolean> {
  const { globalState, site, sites, localService, clock, newId, log } = ports;
  const sets = new DocsSets({ memento: globalState, clock, newId, log });
  const recommended = recommendedSites(ports);
  return showSiteSwitch({
    ui: windowUi(),
    sites,
    active: site,
    docs: () =>
      sets.list.map((set) => ({
        id: set.id,
        ...setRow(set, clock.now(), translate, isServed(set, site)),
      })),
    serveDocs: async (id) => (await localService.feature()).serveSet(id),
    recommended: () => recommended.list,
    accept: (recommendation) => recommended.accept(recommendation),
  });
}

/** Returns whether this window answers from the docs of a set. */
function isServed({ threadName, docs }: DocsSet, { local }: ActiveSite): boolean {
  return local?.threadName !== undefined && local.threadName === (threadName ?? docs.label);
}
