import type { Conversation } from '../../assistant/conversation';
import type { Clock, Log, NewId } from '../../common/ports';
import type { ViewRequestName, ViewRequests } from '../../shared/protocol';
import type { ActiveSite } from '../activeSite';
import type { WorkbenchSettings } from '../settings';
import type { CodeThemes } from './codeTheme';

/** A missing or wrongly typed handler does not compile; `view-ready` is the view's own. */
export type ViewHandlers = {
  readonly [Name in Exclude<ViewRequestName, 'view-ready'>]: (
    params: ViewRequests[Name]['params'],
  ) => ViewRequests[Name]['result'] | Promise<ViewRequests[Name]['result']>;
};

/** What the handlers of the view's requests are made of. */
export interface ViewPorts {
  readonly conversation: Conversation;
  readonly site: ActiveSite;
  readonly settings: WorkbenchSettings;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly codeThemes: CodeThemes;
}
