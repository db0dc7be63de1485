/** The states of the search in the thread, drawn and checked like all others. */
import { aQuestion, aReply, aReplyView, aView, richParts } from '../thread/conversations';
import type { OpenView } from '../harness';
import type { ViewStateCase } from '../states';

/** Searches and waits for the count: of matches, or that there are none. */
const find =
  (text: string, counted: RegExp | 'none') =>
  async ({ page, strings }: OpenView): Promise<void> => {
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: strings.find }).fill(text);
    const hasText = counted === 'none' ? strings.findNone : counted;
    await page.locator('.find-count', { hasText }).waitFor();
  };

export const findStateCases: Readonly<Record<string, ViewStateCase>> = {
  'find-matches': {
    view: () => aReplyView(richParts),
    act: async (view) => {
      await find('upload', /\d+\D+\d+/)(view);
      await view.page.keyboard.press('Alt+c');
      await view.page.locator('.find-count', { hasText: /\d+\D+\d+/ }).waitFor();
      for (let step = 0; step < 3; step++) await view.page.keyboard.press('F3');
    },
  },
  'find-nothing': {
    view: () => aReplyView('Uploads are limited.'),
    act: find('zzz', 'none'),
  },
  'find-right-to-left': {
    view: () =>
      aView({
        messages: [
          aQuestion({ text: 'למה ההעלאה שלי נכשלת עם 413, ואיך שולחים קובץ גדול יותר?' }),
          aReply({
            parts: [
              { type: 'text', text: 'אפשר לשלוח **קובץ** עד 20 MB.\n\n- קובץ ראשון\n- חלק שני' },
            ],
          }),
        ],
      }),
    act: find('קובץ', /1\D+3/),
  },
};
