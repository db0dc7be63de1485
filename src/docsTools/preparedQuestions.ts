import { questionIn } from './confirmation';
import type { DocsTarget } from './toolCall';
import { DocsToolError } from './toolErrors';

/** Questions whose site is remembered until their call comes. */
const MAX_PREPARED = 100;

/**
 * Remembers the site for which a question was confirmed. A confirmation can stay open for minutes,
 * and the user can switch sites meanwhile. The question must not go to a site that nobody
 * confirmed.
 */
export class PreparedQuestions {
  /** Sites by what is asked. Empty where nothing could be asked yet. */
  readonly #sites = new Map<string, string>();

  /** Remembers the site that a confirmation named, or that needed none. */
  remember(input: unknown, target: DocsTarget | undefined): void {
    const content = contentOf(input);
    if (content === undefined) return;
    this.#sites.delete(content);
    this.#sites.set(content, target?.key === undefined ? '' : siteOf(target));
    for (const oldest of this.#sites.keys()) {
      if (this.#sites.size <= MAX_PREPARED) break;
      this.#sites.delete(oldest);
    }
  }

  /**
   * Refuses a question that would spend a credit at a site that nobody confirmed.
   * @throws {DocsToolError} if the reader switched sites after the confirmation, or set one up.
   */
  check(input: unknown, target: DocsTarget): void {
    const prepared = this.#sites.get(contentOf(input) ?? '');
    if (prepared === undefined || !target.spendsCredit || prepared === siteOf(target)) return;
    throw new DocsToolError(
      'site-changed',
      'The user switched to another docs site before the question was sent, so nothing was asked. Call again to ask the site that is set up now.',
    );
  }
}

/** Returns what a call asks, to recognize it after its confirmation. */
function contentOf(input: unknown): string | undefined {
  const asked = questionIn(input);
  return asked && JSON.stringify([asked.question, asked.code, asked.path]);
}

/** Returns a text that two targets share only if they are the same site. */
function siteOf({ settings }: DocsTarget): string {
  return `${settings.baseUrl ?? ''} ${settings.assistantDomain ?? ''}`;
}
