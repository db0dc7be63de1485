import type { Conversation } from '../../../chat/conversation/conversation';
import type { ShownPackages } from '../../../common/localDocsApi';
import type { Clock, Log, NewId } from '../../../common/ports';
import type { OfferedWriter } from '../../../shared/protocol';
import type { ActiveSite } from '../../../site/activeSite';
import type { WorkbenchSettings } from '../../settings';
import type { CodeThemes } from './codeThemes';

/** A page of an unpacked bundle. */
interface BundlePage {
  /** Absolute path of the bundle's root. */
  readonly folder: string;
  /** Name of the bundle. */
  readonly label: string;
  /** Percent-encoded path from the root without a slash at its start, query and fragment. */
  readonly address: string;
}

/** Everything that the handlers of the view's requests need. */
export interface ViewPorts {
  readonly conversation: Conversation;
  readonly site: ActiveSite;
  readonly settings: WorkbenchSettings;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly codeThemes: CodeThemes;
  /**
   * Shows a page in the preview of its bundle.
   * @param isOutside whether to show it in the browser instead of in VS Code.
   */
  readonly previewPage: (page: BundlePage, isOutside: boolean) => Promise<void>;
  /** Returns the installed packages, while questions go to them. */
  readonly packages: () => ShownPackages | undefined;
  /** Takes or refuses the offer of models that a question waits for. */
  readonly chooseWriter: (writer: OfferedWriter) => Promise<void>;
  /** Serves the docs on this machine again that this workspace answered from last, if any. */
  readonly resumeDocs: () => Promise<void>;
  /** Answers from a kept set of docs. Resolves with whether this window does so now. */
  readonly serveSet: (id: string) => Promise<boolean>;
  /** Adds the question of a reply to a `docs-questions.yaml` of the workspace. */
  readonly addDocsQuestion: (replyId: string) => Promise<void>;
}
