/** The memory of a workspace about each site that it asks: hosted sites and docs on this machine. */
import * as v from 'valibot';
import type { Memento } from '../common/ports';
import { withoutUndefined } from '../common/withoutUndefined';
import { askFilterSchema } from '../shared/askFilter';
import { extra, type Parsed } from '../shared/schemas';

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(1000));

const workspaceSiteSchema = v.pipe(
  v.object({
    /** Thread that the panel showed last for the site. */
    threadId: extra(text),
    /** Filter of the questions that this workspace asks the site. */
    filter: extra(askFilterSchema),
    /** Whether the reader chose all versions, so that the installed one isn't preselected. */
    hasAllVersions: extra(v.boolean()),
    /** Host of the pages that the site's replies cite. */
    pagesHost: extra(text),
  }),
  v.transform((site) => withoutUndefined(site)),
);

/** The memory of a workspace about one site. */
type WorkspaceSite = Parsed<typeof workspaceSiteSchema>;

/** The sites of a workspace, by `ThreadSite.id`. */
export interface WorkspaceSites {
  read(siteId: string): WorkspaceSite;
  change(siteId: string, change: (site: WorkspaceSite) => WorkspaceSite): void;
}

const WORKSPACE_SITES = 'sites';

/** Number of sites that a workspace remembers. The ones that were changed last stay. */
const MAX_SITES = 50;

const schema = v.fallback(v.record(v.string(), v.fallback(workspaceSiteSchema, {})), {});

/** Returns access to what the state of a workspace remembers about its sites. */
export function workspaceSites(state: Pick<Memento, 'get' | 'update'>): WorkspaceSites {
  const all = (): [string, WorkspaceSite][] =>
    Object.entries(v.parse(schema, state.get(WORKSPACE_SITES)));
  const read = (siteId: string): WorkspaceSite => all().find(([id]) => id === siteId)?.[1] ?? {};
  return {
    read,
    change: (siteId, change) => {
      const others = all().filter(([id]) => id !== siteId);
      const kept = [...others, [siteId, change(read(siteId))] as const].slice(-MAX_SITES);
      void state.update(WORKSPACE_SITES, Object.fromEntries(kept));
    },
  };
}
