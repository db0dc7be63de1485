import type { DocsOfPackages } from '../common/localDocsApi';
import { plainLine } from '../shared/characters';
import { type LocalDocsClientPorts, shownPackages } from './localDocs';
import type { DocsTarget } from './toolCall';
import { badInput } from './toolErrors';

/**
 * Returns the sets of docs of the package that a call names, or undefined if it names none.
 * @throws {DocsToolError} `bad-input` if the docs have no packages, or the package isn't installed.
 */
export async function setsOfPackage(
  ports: LocalDocsClientPorts,
  named: string | undefined,
  target: DocsTarget | undefined,
): Promise<string[] | undefined> {
  if (named === undefined) return undefined;
  const packages = packagesOf(ports, target?.local);
  if (!packages) {
    throw badInput(
      'These docs are not those of installed packages, so they have no packages. Leave out “package”.',
    );
  }
  const found = await packages.setsOf(named);
  if (found.kind === 'found') return [...found.sets];
  const shown = plainLine(named);
  throw badInput(
    found.otherVersion === undefined
      ? `The package “${shown}” is not installed here, so nothing was asked. Use the name as the code imports it, or leave out “package”.`
      : `“${shown}” is not installed here: version ${found.otherVersion} is. Leave out the version to ask that one.`,
  );
}

function packagesOf(
  ports: LocalDocsClientPorts,
  local: DocsTarget['local'],
): DocsOfPackages | undefined {
  if (!local || 'engine' in local) return local?.packages;
  return local.hasPackages === true ? shownPackages(ports, local) : undefined;
}
