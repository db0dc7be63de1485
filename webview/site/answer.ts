/** Answers a question from the files of the site, in the chat's own Markdown. Loaded with the first question. */
import { composeAnswer } from '../../src/docs/answers/answer';
import type { PartIndex } from '../../src/docs/parts/partIndex';
import { fill } from '../../src/shared/fill';
import { element, visibleLine } from '../dom';
import { CitationIndex } from '../markdown/citations';
import { decorate } from '../markdown/decorate';
import { normalizeText, parseBlocks, References, renderHtml } from '../markdown/parser';
import { sanitizedFragment } from '../markdown/sanitize';
import { boxTexts } from './boxTexts';
import { answerGlobals, SITE_ORIGIN, type SiteIndex } from './siteIndex';

/** Sections that an answer cites at most, as in the local docs service. */
const CITED = 5;

const addresses = {
  write: (href: string): string => SITE_ORIGIN + href,
  read: (): undefined => undefined,
};

answerGlobals().docsAssistantAnswer = async (site, question, filter) => {
  // Apart, because a search runs again for each part that it lacks, and an answer takes as long as the search.
  const retrieval = await site.run(question, (index) =>
    site.retrieve(index, question, filter, { pages: CITED, isOpen: false }),
  );
  return site.run(question, (index) => {
    const { text, more, sources } = composeAnswer({
      question,
      retrieval,
      index,
      filter,
      addresses,
      isIndexed: true,
    });
    const texts = boxTexts();
    const citations = new CitationIndex(
      sources.map(({ sourceId, url, title }) => ({ type: 'source-url', sourceId, url, title })),
    );
    const shown = element('div', { class: 'reply' }, rendered(text, citations, site, index));
    if (sources.length > 0) {
      const links = citations.sources.map(({ source, href }) =>
        element(
          'li',
          {},
          element('a', {
            text: visibleLine(source.title ?? ''),
            attributes: { href: site.resolve(index, href) ?? href },
          }),
        ),
      );
      shown.append(element('h2', { text: texts.sources }), element('ol', {}, ...links));
    }
    if (more !== '') {
      shown.append(
        element(
          'details',
          {},
          element('summary', { text: texts.more }),
          rendered(more, citations, site, index),
        ),
      );
    }
    return shown;
  });
};

/** Renders Markdown as the chat does. Nothing of a page becomes markup of the box. */
function rendered(
  markdown: string,
  citations: CitationIndex,
  site: SiteIndex,
  index: PartIndex,
): HTMLElement {
  const { blocks, references } = parseBlocks(normalizeText(markdown), new References());
  const context = {
    references,
    footnoteNumber: () => undefined,
    isLive: false,
    isWordOpen: false,
  };
  const html = blocks.map(({ tokens }) => renderHtml(tokens, context)).join('');
  const fragment = sanitizedFragment(html);
  decorate(fragment, { strings: boxTexts(), citations, idPrefix: 'docs-assistant-' });
  for (const link of fragment.querySelectorAll('a')) {
    const url = site.resolve(index, link.href);
    if (url === undefined) continue;
    link.href = url;
    delete link.dataset['host'];
    link.title = visibleLine(link.title.split('\n')[0] ?? '').replace(SITE_ORIGIN.slice(8), '');
  }
  for (const code of fragment.querySelectorAll('pre')) code.replaceWith(codeBlock(code));
  const holder = element('div', { class: 'markdown' });
  holder.append(fragment);
  return holder;
}

function codeBlock(code: HTMLPreElement): HTMLElement {
  const texts = boxTexts();
  const language = visibleLine(code.dataset['language'] ?? '');
  const copy = element('button', {
    class: 'copy',
    text: texts.copy,
    attributes: { type: 'button' },
  });
  copy.addEventListener('click', () => {
    navigator.clipboard.writeText(code.textContent).then(
      () => (copy.textContent = texts.copied),
      () => undefined,
    );
  });
  const label = language === '' ? texts.code : fill(texts.codeIn, language);
  const shown = element('pre', {
    text: code.textContent,
    // Not a region: several have the same name.
    attributes: { tabindex: '0', role: 'group', 'aria-label': label, dir: 'ltr' },
  });
  return element('div', { class: 'code' }, copy, shown);
}
