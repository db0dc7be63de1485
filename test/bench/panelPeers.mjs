/**
 * The peers of the panel's bench, each as its documentation shows it, in a page of their own. Runs in
 * the browser: `window.peers.<name>(root)` gives `{ write(textSoFar, delta), end() }`.
 */
import createPurifier from 'dompurify';
import markdownIt from 'markdown-it';
import { marked } from 'marked';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Streamdown } from 'streamdown';
import * as smd from 'streaming-markdown';

const purifier = createPurifier(window);
const md = markdownIt({ linkify: true });

function whole(/** @type {HTMLElement} */ root, /** @type {(text: string) => string} */ html) {
  return {
    write: (/** @type {string} */ text) => {
      root.innerHTML = purifier.sanitize(html(text));
    },
    end: () => {},
  };
}

Object.assign(window, {
  peers: {
    'markdown-it': (/** @type {HTMLElement} */ root) => whole(root, (text) => md.render(text)),
    marked: (/** @type {HTMLElement} */ root) =>
      whole(root, (text) => marked.parse(text, { async: false })),
    'streaming-markdown': (/** @type {HTMLElement} */ root) => {
      const parser = smd.parser(smd.default_renderer(root));
      return {
        write: (/** @type {string} */ _text, /** @type {string} */ delta) =>
          smd.parser_write(parser, delta),
        end: () => smd.parser_end(parser),
      };
    },
    streamdown: (/** @type {HTMLElement} */ root) => {
      const react = createRoot(root);
      const show = (/** @type {string} */ text, /** @type {boolean} */ isAnimating) =>
        react.render(createElement(Streamdown, { isAnimating }, text));
      let last = '';
      return {
        write: (/** @type {string} */ text) => {
          last = text;
          show(text, true);
        },
        end: () => show(last, false),
      };
    },
  },
  /** Renders all of a conversation and resolves when it has been painted. */
  renderAll: (/** @type {HTMLElement} */ root, /** @type {string[]} */ texts) => {
    const startedAt = performance.now();
    for (const text of texts) {
      const article = document.createElement('article');
      article.innerHTML = purifier.sanitize(md.render(text));
      root.append(article);
    }
    root.parentElement?.scrollTo(0, root.scrollHeight);
    return new Promise((resolve) => {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedAt)));
    });
  },
});
