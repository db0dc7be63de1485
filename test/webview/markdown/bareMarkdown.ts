/**
 * Runs in a page: Markdown views without a panel around them. A test that draws many texts at every
 * prefix then pays for the Markdown alone.
 */
import { viewStrings } from '../../../src/shared/viewStrings';
import { CodeBlock } from '../../../webview/code/codeBlock';
import { MarkdownView } from '../../../webview/markdown/markdownView';
import { drawFormula } from '../../../webview/markdown/math';

declare global {
  interface Window {
    /**
     * Draws each text in a view of its own, piece by piece.
     *
     * @returns what the views read in the end
     */
    streamMarkdown: (texts: readonly (readonly string[])[]) => Promise<string[]>;
  }
}

const ignore = (): void => undefined;

const codeActions = {
  copy: () => Promise.resolve(true),
  insert: ignore,
  open: ignore,
  run: ignore,
  save: ignore,
  canReplace: () => false,
  replace: ignore,
  reportFailure: ignore,
};

function createView(): MarkdownView {
  return new MarkdownView({
    strings: viewStrings,
    createCode: () => new CodeBlock(viewStrings, codeActions),
    drawMath: (formula) => drawFormula(formula, viewStrings.formula),
  });
}

/** Resolves when the browser has had idle time: finished formulas are drawn in it. */
const idle = (): Promise<void> =>
  new Promise((resolve) => {
    requestIdleCallback(() => resolve());
  });

window.streamMarkdown = async (texts) => {
  const holder = document.createElement('main');
  document.body.append(holder);
  const views = texts.map(() => createView());
  holder.append(...views.map(({ element }) => element));
  for (const [index, pieces] of texts.entries()) {
    let text = '';
    for (const piece of pieces) {
      text += piece;
      views[index]?.update(text, piece, false);
      // Observers of the document see each step by itself.
      await Promise.resolve();
    }
    views[index]?.update(text, '', true);
  }
  await idle();
  await idle();
  const read = views.map(({ element }) => element.textContent);
  holder.remove();
  return read;
};
