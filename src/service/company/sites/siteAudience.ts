/** Who sees which pages of a site, as the manifest says. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { builtReader } from '../../../docs/kept/keptPages';
import { isSameLanguageTag, isSameVersion } from '../../../docs/pages/pageFilter';
import { versionOfPath } from '../../../docs/pages/pagePath';
import type { OpenPart } from '../../export/exportJobs';
import type { SeenPage } from '../../export/site/siteSurvey';
import type { ManifestSite } from './manifestSchema';

interface Version {
  readonly name: string;
  readonly folder?: string;
  readonly groups?: readonly string[];
}

/** The pages of a site that some readers see. */
export interface SiteAudience {
  /** Names the restricted versions that the readers see. */
  readonly name: string;
  /** Names everything that decides which pages they see and how pages are read. */
  readonly rules: string;
  /** Returns a page with the version that the manifest gives its folder, or undefined if they don't see it. */
  readonly seen: <Page extends SeenPage>(page: Page) => Page | undefined;
}

/** Returns whether somebody in some groups is in one of those that something is limited to. */
export function isIn(limitedTo: readonly string[] | undefined, groups: readonly string[]): boolean {
  return limitedTo === undefined || limitedTo.some((group) => groups.includes(group));
}

export function restrictedVersions(entry: ManifestSite): readonly Version[] {
  return versionsOf(entry).filter(({ groups }) => groups !== undefined);
}

/** Names the restricted versions that people in these groups may see. */
export function audienceOf(entry: ManifestSite, groups: readonly string[]): string {
  const seen = restrictedVersions(entry).filter((version) => isIn(version.groups, groups));
  return JSON.stringify(seen.map(({ name }) => name));
}

/** @param name what {@link audienceOf} has returned. */
export function siteAudience(entry: ManifestSite, name: string): SiteAudience {
  const { languages } = entry;
  const versions = versionsOf(entry);
  const names: unknown = JSON.parse(name);
  return {
    name,
    rules: createHash('sha256')
      .update(JSON.stringify([builtReader, name, languages, versions]))
      .digest('base64url'),
    seen: (page) => {
      const isInLanguage =
        languages === undefined ||
        page.language === undefined ||
        languages.some((language) => isSameLanguageTag(page.language, language));
      if (!isInLanguage) return undefined;
      const own = versions.filter((version) => isOfVersion(page, version));
      const [first] = own;
      if (!first) return versions.length === 0 || page.version === undefined ? page : undefined;
      // A page of several versions is as restricted as all of them together.
      const isSeen = own.every(
        (version) =>
          version.groups === undefined || (Array.isArray(names) && names.includes(version.name)),
      );
      if (!isSeen) return undefined;
      const saysOne = own.some((version) => isSameVersion(page.version, version.name));
      return saysOne ? page : ofVersion(page, first.name);
    },
  };
}

/** Returns what everybody may see of a site, or undefined if only some groups may see the site. */
export function openPart(entry: ManifestSite): OpenPart | undefined {
  if (entry.groups !== undefined) return undefined;
  const restricted = restrictedVersions(entry);
  return {
    seen: siteAudience(entry, audienceOf(entry, [])).seen,
    // Pages of other versions can share an image, so only what stands with restricted pages is left out.
    hasFile: (file) => {
      const page = { path: file, version: versionOfPath(file) };
      return !restricted.some((version) => isOfVersion(page, version));
    },
  };
}

function versionsOf({ versions = [] }: ManifestSite): readonly Version[] {
  return versions.map((version) => (typeof version === 'string' ? { name: version } : version));
}

/** Returns a page with another version. Its sections stay unread until they are needed. */
function ofVersion<Page extends SeenPage>(page: Page, version: string): Page {
  const fields = {
    ...Object.getOwnPropertyDescriptors(page),
    version: { value: version, enumerable: true },
  };
  return Object.defineProperties({}, fields) as Page;
}

function isOfVersion(page: Omit<SeenPage, 'language'>, { name, folder }: Version): boolean {
  if (isSameVersion(page.version, name)) return true;
  if (folder === undefined) return false;
  const plain = path.posix.join('.', folder).replace(/\/+$/, '');
  return page.path.startsWith(`${plain}/`);
}
