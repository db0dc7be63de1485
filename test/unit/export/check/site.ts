import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { checkBundle, type CheckOptions } from '../../../../src/export/check/checkBundle';
import type { BundleReport } from '../../../../src/export/check/reportTypes';

/** Contents by path relative to the site's root. */
export type SiteContents = Readonly<Record<string, string | Uint8Array>>;

/** Lets `use` work on a site in a temporary folder, which is gone afterwards. */
export async function withSite<Result>(
  contents: SiteContents,
  use: (root: string) => Promise<Result>,
): Promise<Result> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'check-bundle-'));
  try {
    for (const [name, content] of Object.entries(contents)) {
      const file = path.join(root, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, content);
    }
    return await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Returns the report of a site. */
export function checked(
  contents: SiteContents,
  options: Partial<CheckOptions> = {},
): Promise<BundleReport> {
  return withSite(contents, (root) => checkFolder(root, options));
}

export function checkFolder(
  root: string,
  options: Partial<CheckOptions> = {},
): Promise<BundleReport> {
  const { signal } = new AbortController();
  return checkBundle({ root, signal, onProgress: () => undefined, ...options });
}

/** Returns the report of a home page with this body, beside other files. */
export function checkedPage(body: string, others: SiteContents = {}): Promise<BundleReport> {
  return checked({ 'index.html': page(body), ...others });
}

/** Returns a page without any address of its own. The body starts on line 3. */
export function page(body: string, head = ''): string {
  return `<!doctype html>\n<html lang="en"><head><title>Page</title>${head}</head><body>\n${body}\n</body></html>\n`;
}

/** Returns the broken links in short: `file:line address → reason (suggestion)`. */
export function brokenOf(report: BundleReport): string[] {
  return report.broken.map(({ file, line, address, reason, suggestion }) => {
    const meant = suggestion === undefined ? '' : ` (${suggestion})`;
    return `${file}:${line} ${address} → ${reason}${meant}`;
  });
}

/** Returns what is fetched from outside in short: `kind address`. */
export function fetchesOf(report: BundleReport): string[] {
  return report.outsideFetches.map(({ kind, address }) => `${kind} ${address}`);
}
