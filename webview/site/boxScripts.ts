/**
 * The scripts of the box on an exported site. Each is a classic script that hands over what it has under a global name,
 * because browsers run no modules and answer no requests on pages from disk (`file:`).
 */
/** Global names that the scripts share. */
interface BoxGlobals {
  /** Names of the scripts that load later. The command that adds the box writes them. */
  docsAssistantScripts?: BoxFiles;
  /** Takes a part of the index. Each file of a part calls it. */
  docsAssistantPart?: (name: string, content: string) => void;
  /**
   * Opens the box in a shadow root. `typed` is what the reader has typed while this script was loading.
   */
  docsAssistantSearch?: (
    root: ShadowRoot,
    places: BoxPlaces,
    files: BoxFiles,
    typed: string,
  ) => void;
}

/** Names of scripts in the folder, and the docs service of the site, if it has one. */
export interface BoxFiles {
  readonly search: string;
  readonly answer: string;
  readonly service?: SiteService;
}

/** Docs service that the box asks. All of it is public: everyone can read this script. */
export interface SiteService {
  /** Name of the script that asks it. */
  readonly script: string;
  /** Base URL, or a path at the origin of the page. */
  readonly baseUrl: string;
  readonly domain: string;
  readonly key: string;
}

/** Returns the global names. */
export function boxGlobals(): typeof globalThis & BoxGlobals {
  return globalThis;
}

/** Places of the site that the box needs. */
export interface BoxPlaces {
  /** URL of the folder with the scripts, with a slash at its end. */
  readonly folder: string;
  /** URL of the site's root, with a slash at its end. */
  readonly root: string;
  /** Name of the index's head. */
  readonly index: string;
}

/** Returns whether a click opens its link in another tab or window, and the page stays as it is. */
export function opensBeside({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey;
}

/** Adds a script to the page and waits until it has run. @throws if it can't be loaded. */
export function loadScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.async = true;
    script.addEventListener('load', () => {
      script.remove();
      resolve();
    });
    script.addEventListener('error', () => {
      script.remove();
      reject(new Error('A script of the search can’t be loaded'));
    });
    script.src = url;
    document.head.append(script);
  });
}
