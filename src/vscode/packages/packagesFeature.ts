/** *What Changes for Me…*: compares the installed version of a dependency with another one. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { packageCommands } from '../../common/contributions';
import { DisposableStore, type Disposable } from '../../common/disposable';
import type { NewId } from '../../common/ports';
import {
  compareInWorker,
  findVersionsInWorker,
  type FoundVersions,
  NotAPackage,
} from '../../docs/packages/compareInWorker';
import { writtenDependencies } from '../../docs/packages/manifestDependencies';
import type { PackagePlace } from '../../docs/packages/packageDocs';
import { unpackBundle } from '../../export/archive/unpack';
import { describeExportError, ExportError } from '../../export/exportErrors';
import { parsedAs } from '../../shared/schemas';
import { setNumberLanguage } from '../../shared/units';
import { windowUi } from '../windowUi';
import { plainText, say, translate } from '../notifications';
import { ComparisonDocuments } from './comparisonDocuments';

interface PackagesFeaturePorts {
  readonly extensionUri: vscode.Uri;
  readonly storageUri: vscode.Uri;
  readonly newId: NewId;
}

/** A dependency in a manifest. */
const askedSchema = v.object({ manifest: v.string(), name: v.string() });

type Asked = v.InferOutput<typeof askedSchema>;

/** Another version: a package, or a tarball with one. */
type OtherVersion = PackagePlace | { readonly tarball: string };

interface VersionItem extends vscode.QuickPickItem {
  /** Finds the version. Resolves with undefined if the reader canceled. */
  readonly find?: () => Promise<OtherVersion | undefined>;
}

export class PackagesFeature implements Disposable {
  readonly #ports: PackagesFeaturePorts;
  readonly #store = new DisposableStore();
  readonly #documents = this.#store.add(new ComparisonDocuments());

  constructor(ports: PackagesFeaturePorts) {
    this.#ports = ports;
    setNumberLanguage(vscode.env.language);
  }

  /** Returns the link at a dependency of a manifest. Manifests of packages have none. */
  hover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    if (/[\\/]node_modules[\\/]/.test(document.uri.fsPath)) return undefined;
    const offset = document.offsetAt(position);
    const found = writtenDependencies(document.getText()).find(
      ({ start, end }) => start <= offset && offset <= end,
    );
    if (!found) return undefined;
    const asked: Asked = { manifest: document.uri.toString(), name: found.name };
    const args = encodeURIComponent(JSON.stringify([asked]));
    const link = `[${translate('What Changes for Me…')}](command:${packageCommands.whatChanges}?${args})`;
    const markdown = new vscode.MarkdownString(link);
    markdown.isTrusted = { enabledCommands: [packageCommands.whatChanges] };
    const range = new vscode.Range(
      document.positionAt(found.start),
      document.positionAt(found.end),
    );
    return new vscode.Hover(markdown, range);
  }

  /** Runs the command for the dependency that it names, or for one of the manifest in the editor. */
  async run([given]: readonly unknown[]): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      say(
        translate(
          'Versions of packages can’t be compared in Restricted Mode. Trust this workspace first.',
        ),
      );
      return;
    }
    const asked = parsedAs(askedSchema, given) ?? (await this.#ask());
    if (!asked) return;
    try {
      await this.#compare(asked);
    } catch (error) {
      if (error instanceof NotAPackage) {
        const folder = path.basename(error.message);
        say(translate('{0} is not a package: it has no package.json with a name.', folder));
      } else if (error instanceof ExportError) {
        void vscode.window.showErrorMessage(
          plainText(describeExportError(error, translate).message),
        );
      } else throw error;
    }
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Returns the dependency at the cursor, or one that the reader chooses. */
  async #ask(): Promise<Asked | undefined> {
    const editor = vscode.window.activeTextEditor;
    const uri = editor?.document.uri;
    if (!editor || uri?.scheme !== 'file' || path.basename(uri.fsPath) !== 'package.json') {
      say(translate('Open a package.json first.'));
      return undefined;
    }
    const written = writtenDependencies(editor.document.getText());
    const cursor = editor.document.offsetAt(editor.selection.active);
    const at = written.find(({ start, end }) => start <= cursor && cursor <= end);
    if (!at && written.length === 0) {
      say(translate('This package.json has no dependencies.'));
      return undefined;
    }
    const name =
      at?.name ??
      (await vscode.window.showQuickPick(
        written.map((each) => each.name),
        { title: translate('What Changes for Me'), placeHolder: translate('Choose a dependency') },
      ));
    return name === undefined ? undefined : { manifest: uri.toString(), name };
  }

  async #compare({ manifest, name }: Asked): Promise<void> {
    const file = vscode.Uri.parse(manifest, true);
    const code = path.dirname(file.fsPath);
    const root = vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath ?? code;
    const chosen = await this.#choose(name, { folder: code, root });
    if (!chosen) return;
    const { version } = chosen;
    const unpacked = path.join(this.#ports.storageUri.fsPath, 'packages', this.#ports.newId());
    try {
      const comparison = await windowUi().progress(
        translate('Comparing versions of {0}', name),
        async (report, signal) =>
          compareInWorker({
            script: this.#script,
            places: {
              one: chosen.own,
              other:
                'tarball' in version
                  ? await this.#unpack(version.tarball, unpacked, signal)
                  : version,
              code,
              importedAs: name,
            },
            signal,
            onStep: (step) =>
              report({
                message:
                  step === 'code'
                    ? translate('Searching the code for {0}…', name)
                    : translate('Reading {0}…', name),
              }),
          }),
      );
      if (!comparison) return;
      const { older, newer } = comparison;
      if (older.name === newer.name) await this.#documents.show(comparison, code);
      else say(translate('{0} and {1} are different packages.', older.name, newer.name));
    } finally {
      await rm(unpacked, { recursive: true, force: true });
    }
  }

  get #script(): string {
    return vscode.Uri.joinPath(this.#ports.extensionUri, 'dist', 'comparePackages.js').fsPath;
  }

  /** Asks for another version than the one of a project: one of this window's folders, a tarball or a folder. */
  async #choose(
    name: string,
    project: PackagePlace,
  ): Promise<{ readonly own: PackagePlace; readonly version: OtherVersion } | undefined> {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const roots = folders.flatMap(({ uri }) => (uri.scheme === 'file' ? [uri.fsPath] : []));
    const found = await windowUi().progress(
      translate('Looking for versions of {0}', name),
      async (_report, signal) =>
        findVersionsInWorker({ script: this.#script, query: { name, project, roots }, signal }),
    );
    if (!found) return undefined;
    if (!found.own) {
      say(translate('{0} is not installed for this package.json. Install it first.', name));
      return undefined;
    }
    const { version, place } = found.own;
    const chosen = await vscode.window.showQuickPick(itemsOf(name, found), {
      title: translate('Compare {0} {1} with Another Version', name, version),
      placeHolder: translate('Choose the other version'),
    });
    const other = await chosen?.find?.();
    return other && { own: place, version: other };
  }

  /** Unpacks a tarball. @throws {ExportError} if that fails. */
  async #unpack(archive: string, target: string, signal: AbortSignal): Promise<PackagePlace> {
    await mkdir(path.dirname(target), { recursive: true });
    const { newId } = this.#ports;
    const onProgress = (): void => undefined;
    const { siteRoot } = await unpackBundle({ archive, target, newId, signal, onProgress });
    return { folder: siteRoot, root: siteRoot };
  }
}

/** Returns the rows of the list of versions. */
function itemsOf(name: string, { others }: FoundVersions): VersionItem[] {
  const items: VersionItem[] = others.map(({ version, place }) => ({
    label: version,
    description: vscode.workspace.asRelativePath(place.folder),
    find: () => Promise.resolve(place),
  }));
  if (items.length > 0) items.push({ label: '', kind: vscode.QuickPickItemKind.Separator });
  items.push(
    {
      label: translate('Tarball…'),
      description: translate('A file that “{0}” wrote', `npm pack ${name}`),
      find: async () => {
        const tarball = await windowUi().chooseFile({
          title: translate('Choose a Tarball'),
          filters: { [translate('Tarballs')]: ['tgz', 'gz', 'tar'] },
        });
        return tarball === undefined ? undefined : { tarball };
      },
    },
    {
      label: translate('Folder…'),
      description: translate('A folder with a package.json'),
      find: async () => {
        const folder = await windowUi().chooseFolder({ title: translate('Choose a Folder') });
        return folder === undefined ? undefined : { folder, root: folder };
      },
    },
  );
  return items;
}
