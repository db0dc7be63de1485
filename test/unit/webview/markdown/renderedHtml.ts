import { BlockStream } from '../../../../webview/markdown/blockStream';
import type { RenderedBlock } from '../../../../webview/markdown/rendered';

export { seededRandom } from '../../../builders/seededRandom';

/** Everything that is shown of a text: its blocks and its footnotes. */
export interface Rendering {
  readonly blocks: readonly RenderedBlock[];
  readonly footnotes: BlockStream['footnotes'];
}

/**
 * Returns what is shown after the text has arrived in these pieces.
 * @param isSlow there is a pause behind each of them.
 */
export function streamed(text: string, cuts: readonly number[], isSlow = false): Rendering {
  const stream = new BlockStream();
  let length = 0;
  for (const cut of cuts) {
    stream.append(text.slice(length, cut));
    length = cut;
    if (isSlow) stream.catchUp();
  }
  stream.finish(text.slice(length));
  return { blocks: stream.blocks, footnotes: stream.footnotes };
}

/** Returns the HTML that is shown while no more than this has arrived of a text. */
export function unfinished(text: string): string {
  const stream = new BlockStream();
  stream.append(text);
  return htmlOf({ blocks: stream.blocks, footnotes: stream.footnotes });
}

export const whole = (text: string): Rendering => streamed(text, []);

export const everyCut = (text: string): number[] =>
  Array.from({ length: text.length }, (_, at) => at);

/** Returns the HTML of the whole rendering, with code as it stands within lists. */
export function htmlOf({ blocks, footnotes }: Rendering): string {
  const notes = footnotes.map(({ number, html }) => `<li value="${number}">${html}</li>\n`);
  return [...blocks.map(blockHtml), ...notes].join('');
}

function blockHtml(block: RenderedBlock): string {
  switch (block.kind) {
    case 'html':
      return block.html;
    case 'group':
      return [block.open, ...block.settled, ...block.live, block.close].join('');
    case 'code':
      return `<pre data-language="${escaped(block.language)}">\n${escaped(block.code)}</pre>\n`;
    case 'note':
      return '';
  }
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
