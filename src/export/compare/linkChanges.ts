/** Finds the links that broke and the links that were fixed between two bundles. */
import type { BrokenSideLink, SideFacts } from './bundleSide';
import type { ComparedLink } from './comparison';
import { pageRoute } from './pageAddress';

interface LinkChanges {
  readonly broken: readonly ComparedLink[];
  readonly mended: readonly ComparedLink[];
}

type Side = Pick<SideFacts, 'broken' | 'resolver'>;

/**
 * Compares the broken links of two bundles. A link is the same if it is on the same page, of the
 * same kind, and leads to the same path, in whatever form it is written.
 *
 * @param pathAfter returns the path in the new bundle of a file of the old one, or undefined if the
 * file is gone. A page that moved has its new path. Broken links of a file that is gone don't count
 * as fixed.
 */
export function compareLinks(
  before: Side,
  after: Side,
  pathAfter: (path: string) => string | undefined,
): LinkChanges {
  const targetBefore = (sitePath: string): string | undefined => {
    const path = fileOf(before, sitePath);
    return path === undefined ? undefined : pathAfter(path);
  };
  const keysBefore = new Set<string>();
  const rest: { readonly broken: BrokenSideLink; readonly key: string }[] = [];
  for (const broken of before.broken) {
    const file = pathAfter(broken.link.file);
    if (file === undefined) continue;
    const key = keyOf(broken, file, targetBefore);
    keysBefore.add(key);
    rest.push({ broken, key });
  }

  const keysAfter = new Set<string>();
  const broken: ComparedLink[] = [];
  for (const each of after.broken) {
    const key = keyOf(each, each.link.file, (sitePath) => fileOf(after, sitePath));
    keysAfter.add(key);
    if (!keysBefore.has(key)) broken.push(comparedLink(each, before));
  }
  const mended = rest.flatMap(({ broken: each, key }) =>
    keysAfter.has(key) ? [] : [comparedLink(each, after)],
  );
  return { broken, mended };
}

function keyOf(
  { link, sitePath }: BrokenSideLink,
  file: string,
  targetOf: (sitePath: string) => string | undefined,
): string {
  const { kind, address, reason } = link;
  if (sitePath === undefined) return `${file} ${kind} ${address}`;
  // A link to a missing place on a page leads to the page and the place.
  const place = reason === 'missing-anchor' ? address.slice(address.indexOf('#')) : '';
  const target = targetOf(sitePath) ?? pageRoute(sitePath.replace(/^\/|\/$/g, ''));
  return `${file} ${kind} ${target}${place}`;
}

function comparedLink({ link, sitePath }: BrokenSideLink, other: Side): ComparedLink {
  const { file, line, column, kind, address, reason, suggestion } = link;
  const target = sitePath === undefined ? undefined : fileOf(other, sitePath);
  return {
    file,
    line,
    column,
    kind,
    address,
    reason,
    suggestion,
    target,
  };
}

function fileOf({ resolver }: Side, sitePath: string): string | undefined {
  const found = resolver.find(sitePath, 'link');
  return found.name === 'file' ? found.path : undefined;
}
