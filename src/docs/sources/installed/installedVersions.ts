/** The version of a package alone, for those who need no docs of it. Uses `node:fs`. */
import { CodePlaces, type CodePlacesPorts, installedFolders } from './codePlaces';
import { FolderFiles } from './packageFiles';
import { MANIFEST, MAX_MANIFEST_BYTES, readManifest } from './packageManifest';
import { isPackageName } from './packageNames';
import { ZipArchives, zipPlaceOf } from './zipFiles';

/** Finds the versions of installed packages, as Node would resolve them. */
export class InstalledVersions {
  readonly #places: CodePlaces;
  readonly #archives = new ZipArchives();

  constructor(ports: CodePlacesPorts) {
    this.#places = new CodePlaces(ports);
  }

  /**
   * Returns the version of the package that code gets for a name.
   * @param from absolute path of the code's file or folder.
   * @returns undefined if the package isn't installed, or if its manifest names no version.
   */
  async find(name: string, from: string): Promise<string | undefined> {
    if (!isPackageName(name)) return undefined;
    const { folder: place, lookup } = await this.#places.at(from);
    const looked = await lookup?.find(name, place);
    if (looked !== undefined) return (await this.#read(looked)) || undefined;
    for await (const { folder } of installedFolders(name, place)) {
      const version = folder === undefined ? undefined : await this.#read(folder);
      if (version !== undefined) return version || undefined;
    }
    return undefined;
  }

  /** Returns the version of a manifest, which can be empty, or undefined if a folder has none. */
  async #read(folder: string): Promise<string | undefined> {
    const zip = await zipPlaceOf(folder);
    const files = zip ? this.#archives.files(zip) : new FolderFiles(folder);
    const bytes = await files.readBytes(MANIFEST, MAX_MANIFEST_BYTES).catch(() => undefined);
    return bytes && (readManifest(bytes)?.version ?? '');
  }
}
