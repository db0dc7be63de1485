/** Asks what to do with possible secrets before a question is sent. Loaded when there are some. */
import * as v from 'valibot';
import { fill } from '../../src/shared/fill';
import {
  resultSchemas,
  type AskResult,
  type HeldContent,
  type SecretChoice,
} from '../../src/shared/protocol';
import type { ViewStrings } from '../../src/shared/viewStrings';
import { element, icon, isolatedText, visibleLine } from '../dom';
import { RequestError } from '../endpoint';
import { createButton } from '../toolkit';

type Choice = SecretChoice | 'remove';

interface SecretDecisions {
  /** Tells the host what to do with an attached content. */
  readonly choose: (itemId: string, choice: Choice) => Promise<boolean>;
  /** Sends the question again, with the decision about secrets in its text. */
  readonly request: (secrets?: { secrets?: SecretChoice }) => Promise<AskResult>;
}

/** ID of the question's own text, which can't be removed. */
const QUESTION_ID = 'question';

/**
 * Asks about all content that holds a question back, then sends the question. Resolves when the
 * host has accepted it.
 * @throws {RequestError} if the person cancels, so that the question goes back into its box.
 */
export async function decideAboutSecrets(
  strings: ViewStrings,
  result: AskResult,
  { choose, request }: SecretDecisions,
): Promise<void> {
  let secrets: SecretChoice | undefined;
  let held = heldIn(result);
  while (held.length > 0) {
    const choices = await new SecretDialog(strings, held).show();
    if (!choices) throw new RequestError('refused', 'question-submit');
    for (const [id, choice] of choices) {
      if (id !== QUESTION_ID) await choose(id, choice);
      else if (choice !== 'remove') secrets = choice;
    }
    held = heldIn(await request(secrets === undefined ? {} : { secrets }));
  }
}

function heldIn(result: AskResult): readonly HeldContent[] {
  const parsed = v.parse(resultSchemas['question-submit'], result);
  return 'held' in parsed ? parsed.held : [];
}

class SecretDialog {
  readonly #strings: ViewStrings;
  readonly #choices = new Map<string, Choice>();
  readonly #dialog: HTMLDialogElement;
  readonly #rows: HTMLElement[];

  constructor(strings: ViewStrings, held: readonly HeldContent[]) {
    this.#strings = strings;
    const title = element('h2', {
      class: 'secrets-title',
      text: strings.secretsTitle,
      attributes: { id: 'secrets-title' },
    });
    const text = element('p', { text: strings.secretsText, attributes: { id: 'secrets-text' } });
    this.#rows = held.map((content) => this.#row(content));
    const cancel = createButton({
      label: strings.cancel,
      appearance: 'secondary',
      class: 'secrets-cancel',
      onClick: () => this.#dialog.close(),
    });
    // The browser keeps the focus within a modal dialog and closes it on Escape.
    this.#dialog = element(
      'dialog',
      {
        class: 'secrets',
        attributes: {
          role: 'alertdialog',
          'aria-labelledby': title.id,
          'aria-describedby': text.id,
        },
      },
      element('div', { class: 'secrets-head' }, icon('warning'), title),
      text,
      element('ul', { class: 'secrets-list' }, ...this.#rows),
      cancel.element,
    );
  }

  /** Resolves with a choice for each content, or with undefined if the person cancels. */
  async show(): Promise<ReadonlyMap<string, Choice> | undefined> {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#focusFirst();
    await new Promise((resolve) => this.#dialog.addEventListener('close', resolve));
    this.#dialog.remove();
    return this.#rows.length === 0 ? this.#choices : undefined;
  }

  #row({ id, name, kinds }: HeldContent): HTMLElement {
    const strings = this.#strings;
    const label = visibleLine(name);
    const row = element(
      'li',
      { class: 'secrets-row' },
      element(
        'div',
        { class: 'secrets-what' },
        isolatedText(name),
        element('span', { class: 'secrets-kinds', text: kinds.map(visibleLine).join(', ') }),
      ),
    );
    const button = (choice: Choice, text: string): HTMLElement => {
      const { element: created } = createButton({
        label: text,
        appearance: choice === 'redact' ? 'primary' : 'secondary',
        class: `secrets-${choice}`,
        onClick: () => this.#take(row, id, choice),
      });
      created.setAttribute('aria-label', fill(strings.secretsAbout, text, label));
      return created;
    };
    row.append(
      element(
        'div',
        { class: 'actions' },
        button('redact', strings.secretsRedact),
        ...(id === QUESTION_ID ? [] : [button('remove', strings.secretsRemove)]),
        button('send', strings.secretsSend),
      ),
    );
    return row;
  }

  #take(row: HTMLElement, id: string, choice: Choice): void {
    this.#choices.set(id, choice);
    this.#rows.splice(this.#rows.indexOf(row), 1);
    row.remove();
    if (this.#rows.length === 0) this.#dialog.close();
    else this.#focusFirst();
  }

  /** Focuses the safest button, so that Enter never sends a secret. */
  #focusFirst(): void {
    this.#rows[0]?.querySelector<HTMLElement>('.secrets-redact')?.focus();
  }
}
