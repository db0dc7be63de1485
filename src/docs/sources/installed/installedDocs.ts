import type { PageSource } from '../pageSource';
import type { PackageFiles } from './packageFiles';

/** A package that is installed for some code, with what its own manifest says about it. */
export interface InstalledPackage {
  /** Identifies the docs of this version: `next@16.4.0`. */
  readonly id: string;
  /** Name under which the package was published, by the place where it is installed. */
  readonly name: string;
  /** Name that the code imports. It differs from `name` if the workspace gave the package another one. */
  readonly importedAs: string;
  readonly version: string;
  /** Real path of the package's folder. In an archive, the path goes on below the archive's file. */
  readonly folder: string;
  /** One line of plain text, or empty. */
  readonly description: string;
  /** URL of the homepage, with `http:` or `https:`. */
  readonly homepage: string | undefined;
  /** URL of the repository, with `https:`. */
  readonly repository: string | undefined;
  /** URL of the package's folder in its repository, with a slash at its end, if its files can be seen there. */
  readonly webFolder: string | undefined;
  /** Path of the main types below the folder, as the manifest names it. The file may not exist. */
  readonly types: string | undefined;
  /** Files and folders that the manifest names as docs, as it writes them. */
  readonly docs: readonly string[];
  /** Whether the package is a folder that somebody edits, such as another one of the workspace. */
  readonly isLinked: boolean;
  /**
   * Names the docs for what is kept on disk: the `id`, so that all workspaces share it, or the folder of a linked
   * package. Two packages with the same `id` can still differ if one of them was patched.
   */
  readonly keptKey: string;
  /** Changes when the package is installed again, or when its manifest changes. */
  readonly stamp: string;
}

export type PackageProblemKind =
  /** The project asks for the package, but it isn't there. */
  | 'not-installed'
  /** A name that no package can have, so nothing was looked up. */
  | 'bad-name'
  | 'no-manifest'
  | 'broken-manifest'
  /** The file system refused to read the manifest. */
  | 'unreadable'
  /** The package can only be found or read in a workspace that the user trusts. */
  | 'needs-trust'
  /** The package manager's lookup is above the workspace, so trust in the workspace isn't for it. */
  | 'outside-workspace'
  /** The code that the package manager wrote to find packages failed. */
  | 'broken-lookup'
  /** More packages than the limit. The others were listed. */
  | 'too-many-packages';

/** A package that was left out, or a file that says which packages there are. */
export interface PackageProblem {
  readonly kind: PackageProblemKind;
  /** Name of the package or path of the file, as it was written. It is untrusted text. */
  readonly name: string;
}

export interface InstalledList {
  readonly packages: readonly InstalledPackage[];
  readonly problems: readonly PackageProblem[];
}

/**
 * Knows the packages that are installed for the code of a workspace, and the pages of each. There is one
 * implementation for each ecosystem, and no user of this interface knows which it is.
 */
export interface InstalledDocs {
  /**
   * Lists the packages that the project of a file or folder asks for.
   * @param from absolute path of a file or folder, which may not exist yet.
   * @throws the signal's reason as soon as it aborts.
   */
  list(from: string, signal: AbortSignal): Promise<InstalledList>;
  /**
   * Returns a value that changes when packages of the project of a file or folder were installed, updated or removed.
   * Takes much less time than the list.
   */
  stampOf(from: string): Promise<string>;
  /** Finds the package that code in `from` gets for a name, also if its project doesn't ask for it. */
  find(importedAs: string, from: string): Promise<InstalledPackage | undefined>;
  /**
   * Returns the package that a file belongs to, or undefined if it isn't part of a package.
   * @param from file or folder whose package manager knows the real path of the file. The file itself if absent.
   */
  ownerOf(file: string, from?: string): Promise<InstalledPackage | undefined>;
  /**
   * Returns the package that declares the types of one that has none of its own, or undefined.
   * @param from file or folder of the code that uses the package.
   */
  typesFor(installed: InstalledPackage, from: string): Promise<InstalledPackage | undefined>;
  /** Returns the names of the packages that a source text imports, in order, each once. */
  importsOf(source: string): readonly string[];
  /** Returns the pages that a package has about itself. They are listed again only after a change of its stamp. */
  open(installed: InstalledPackage): Promise<PageSource>;
  /** Returns the files of a package, such as its types. */
  filesOf(installed: InstalledPackage): Promise<PackageFiles>;
}

/** Returns a line for the log about packages with the same kind of problem. */
export function problemLine(kind: PackageProblemKind, names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 100)));
  const rest = names.length - shown.length;
  const list = `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  return `${reasons[kind]}: ${list}`;
}

const reasons: Readonly<Record<PackageProblemKind, string>> = {
  'not-installed': 'Packages that are not installed',
  'bad-name': 'Left out packages with names that no package can have',
  'no-manifest': 'Left out packages without package.json',
  'broken-manifest': 'Left out a package.json that is not valid',
  unreadable: 'Left out a package.json that can’t be read',
  'needs-trust': 'Left out until the workspace is trusted',
  'outside-workspace': 'Left out packages that only code outside the workspace can find',
  'broken-lookup': 'Can’t look up packages with',
  'too-many-packages': 'Left out packages above the limit, from',
};
