import type { Picked, PickRow } from '../../src/common/pickUi';
import type { DocsUi } from '../../src/service/sets/docsUi';
import { ScriptedUi } from './scriptedUi';

/**
 * Scripted user who chooses docs. The script names a row by its label, and a button of a row by
 * `button: label`.
 */
export class ScriptedDocsUi extends ScriptedUi implements DocsUi {
  /** Rows of each list that was shown. */
  readonly lists: (readonly PickRow<unknown, unknown>[])[] = [];
  /** Detail texts of dialogs. */
  readonly details: string[] = [];

  pick<Value, Button = never>({
    title,
    rows,
  }: {
    readonly title: string;
    readonly rows: readonly PickRow<Value, Button>[];
  }): Promise<Picked<Value, Button> | undefined> {
    this.lists.push(rows);
    this.shown.push({ kind: 'choose', text: title, options: rows.map(({ label }) => label) });
    const answer = this.nextAnswer();
    if (answer === undefined) return Promise.resolve(undefined);
    for (const row of rows) {
      if (row.isSeparator) continue;
      if (row.label === answer) return Promise.resolve({ value: row.value });
      const button = row.buttons?.find(({ value }) => answer === `${String(value)}: ${row.label}`);
      if (button) return Promise.resolve({ value: row.value, button: button.value });
    }
    throw new Error(`“${title}” has no “${answer}”`);
  }

  override confirm(question: string, action: string, detail = ''): Promise<boolean> {
    this.details.push(detail);
    return super.confirm(question, action);
  }
}
