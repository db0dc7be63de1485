import type { Conversation } from '../../../chat/conversation/conversation';
import type { Clock, Log, NewId } from '../../../common/ports';
import type { ActiveSite } from '../../../site/activeSite';
import type { WorkbenchSettings } from '../../settings';
import type { CodeThemes } from './codeThemes';

/** Everything that the handlers of the view's requests need. */
export interface ViewPorts {
  readonly conversation: Conversation;
  readonly site: ActiveSite;
  readonly settings: WorkbenchSettings;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly codeThemes: CodeThemes;
}
