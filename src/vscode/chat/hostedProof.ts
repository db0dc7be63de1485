/** Serves kept docs to compare replies with them. Loaded with the first reply of a site that has kept docs. */
import { isFolder } from '../../common/onDisk';
import type { Fetch } from '../../common/ports';
import { HostedProof } from '../../docsTools/hostedProof';
import type { DocsSet, DocsSets } from '../../service/sets/docsSets';
import { keptDocsView, publicHost } from '../../service/sets/keptDocs';
import { openLocalDocs, type QuestionTargetPorts } from '../questions/questionTargets';

interface HostedProofFeaturePorts extends QuestionTargetPorts {
  readonly sets: DocsSets;
  /** Returns the kept docs of the site that is asked now. */
  readonly keptSet: () => DocsSet | undefined;
  readonly fetch: Fetch;
}

export function createHostedProof(ports: HostedProofFeaturePorts): HostedProof {
  const { sets, keptSet, site, fetch, clock, log } = ports;
  return new HostedProof({
    fetch,
    clock,
    log,
    docsOf: (siteId) => {
      const set = site.threadSite.id === siteId ? keptSet() : undefined;
      const host = set && publicHost(set);
      return set === undefined || host === undefined
        ? undefined
        : { kept: keptDocsView(set), host };
    },
    serve: async ({ id }, signal) => {
      const docs = sets.get(id)?.docs;
      // Without this check, the service would fetch the pages of a site whose folder is gone.
      if (!docs || !(await isFolder(docs.folder))) throw new Error('No such docs');
      return openLocalDocs(docs, ports, signal);
    },
  });
}
