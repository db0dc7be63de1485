import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import elixir from 'highlight.js/lib/languages/elixir';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import http from 'highlight.js/lib/languages/http';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import nginx from 'highlight.js/lib/languages/nginx';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import protobuf from 'highlight.js/lib/languages/protobuf';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scala from 'highlight.js/lib/languages/scala';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { codeLanguageName, codeLanguageOf } from '../codeLanguages';
import { escapeHtml } from '../pageHtml';

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  diff,
  dockerfile,
  elixir,
  go,
  graphql,
  http,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  nginx,
  php,
  powershell,
  protobuf,
  python,
  r,
  ruby,
  rust,
  scala,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Characters above which code stays plain: it holds up the requests that the service answers. */
const MAX_HIGHLIGHTED = 50_000;

const labels: Partial<Record<string, string>> = {
  css: 'CSS',
  graphql: 'GraphQL',
  ini: 'INI',
  nginx: 'nginx',
  protobuf: 'Protocol Buffers',
  shell: 'Shell',
  bash: 'Shell',
};

export interface HighlightedCode {
  readonly html: string;
  /** How the language is called, empty if it is not known. */
  readonly label: string;
}

/** @param name what stands behind the fence, such as `ts`. */
export function highlightCode(code: string, name: string): HighlightedCode {
  const known = codeLanguageOf(name);
  const language = hljs.getLanguage(name) ? name : known;
  const plain = escapeHtml(code);
  if (name === '' || language === undefined || !hljs.getLanguage(language)) {
    return { html: plain, label: /^[\w+#.-]{2,20}$/.test(name) && name !== 'text' ? name : '' };
  }
  const label =
    labels[known ?? language] ??
    (known === undefined ? (hljs.getLanguage(language)?.name ?? '') : codeLanguageName(known));
  if (code.length > MAX_HIGHLIGHTED) return { html: plain, label };
  return { html: hljs.highlight(code, { language, ignoreIllegals: true }).value, label };
}
