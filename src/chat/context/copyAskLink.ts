/** *Copy Link for Docs Site…*: a link that a page of a docs site can have, to ask about the page in VS Code. */
import type { WindowUi } from '../../common/windowUi';
import { MAX_QUESTION_LENGTH } from '../../shared/limits';
import { askLinkText, isSitePath } from './askLinkText';
import { MAX_CURRENT_PATH_LENGTH, pagePath } from './documentPaths';

interface CopyAskLinkPorts {
  readonly ui: Pick<WindowUi, 'translate' | 'pick' | 'enter' | 'inform'>;
  /** Scheme of links to this VS Code, and ID of this extension. */
  readonly extension: { readonly scheme: string; readonly id: string };
  /** Returns the path of the page that is open in the editor, if it is one of the docs. */
  readonly openPage: () => string | undefined;
  readonly copy: (text: string) => PromiseLike<void>;
}

type Format = 'link' | 'markdown' | 'html';

/** Asks for the page, the question and the form of the link, and puts it on the clipboard. */
export async function copyAskLink({
  ui,
  extension,
  openPage,
  copy,
}: CopyAskLinkPorts): Promise<void> {
  const { translate: t } = ui;
  const title = t('Copy Link for Docs Site');
  const page = await ui.enter({
    title,
    prompt: t('Path of the page at the docs site. Leave it empty for a link without a page.'),
    placeholder: '/guides/start',
    value: openPage() ?? '',
    remarkOn: (value) =>
      value.trim() === '' || pageOf(value) !== undefined
        ? undefined
        : { kind: 'error', text: t('Enter a path such as /guides/start, without spaces.') },
  });
  if (page === undefined) return;
  const question = await ui.enter({
    title,
    prompt: t('Question that the link fills in. Leave it empty to let readers write their own.'),
    remarkOn: (value) =>
      value.trim() === '' && page.trim() === ''
        ? { kind: 'error', text: t('Enter a question. A link without a page needs one.') }
        : value.length > MAX_QUESTION_LENGTH
          ? {
              kind: 'error',
              text: t('Questions can have up to {0} characters.', MAX_QUESTION_LENGTH),
            }
          : undefined,
  });
  if (question === undefined) return;
  const picked = await ui.pick<Format>({
    title,
    placeholder: t('Choose the form of the link'),
    rows: [
      { icon: 'link', label: t('Link'), value: 'link' },
      { icon: 'markdown', label: 'Markdown', value: 'markdown' },
      { icon: 'code', label: 'HTML', value: 'html' },
    ],
  });
  if (!picked) return;
  const link = askLinkText(extension, { question: question.trim(), page: pageOf(page) });
  await copy(inFormat(link, picked.value, t('Ask in VS Code')));
  void ui.inform(
    t(
      'Copied the link. It opens the chat of readers who have Docs Assistant, and sends nothing by itself.',
    ),
  );
}

/** Returns the path as the site has it, or undefined for a text that can't be one. */
function pageOf(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '' || !isSitePath(trimmed)) return undefined;
  const page = pagePath(trimmed);
  return page.length <= MAX_CURRENT_PATH_LENGTH ? page : undefined;
}

/** Returns the link as it stands in a page. The link itself has no character that means something there but "&". */
function inFormat(link: string, format: Format, label: string): string {
  switch (format) {
    case 'link':
      return link;
    case 'markdown':
      return `[${label}](${link})`;
    case 'html':
      return `<a href="${link.replaceAll('&', '&amp;')}">${label}</a>`;
  }
}
