import type { DocsPage } from '../pages/page';

interface PageKind {
  /** Matches the paths of such pages, with their endings. */
  readonly path: RegExp;
  readonly title?: RegExp;
  /** Matches questions that such a page answers. */
  readonly asked: RegExp;
  /** Factor for the score if the question does not ask for such a page. */
  readonly factor: number;
}

/** Pages that mention everything and explain little, the least helpful first. */
const kinds: readonly PageKind[] = [
  {
    // These pages are notes for coding agents.
    path: /(?:^|\/)(?:AGENTS?|CLAUDE|GEMINI|SKILL|copilot-instructions|llms(?:-full)?)\.\w+$|(?:^|\/)\.(?:claude|cursor|github|agents?|windsurf|codex)\//i,
    asked: /\b(?:agents?|claude|gemini|copilot|cursor|skills?|llms?)\b/i,
    factor: 0.3,
  },
  {
    path: /(?:^|\/)_?(?:snippets?|partials?|includes?|fixtures?|__tests__|__mocks__|templates?)\/|(?:^|\/)_[^/]+$/i,
    asked: /\b(?:snippets?|partials?|includes?|fixtures?|templates?)\b/i,
    factor: 0.5,
  },
  {
    path: /(?:^|\/)(?:change-?logs?|changes|history|release-?notes?|releases?|whats-?new|news)(?:\/|[-_.\d]*\.\w+$|[-_]\d)/i,
    title: /^(?:change ?log|release notes|what'?s new|release history)\b/i,
    asked:
      /\b(?:change-?logs?|changed|changes|release[sd]?|release notes|new in|what'?s new|since (?:when|which|what)|introduced|history)\b/i,
    factor: 0.5,
  },
  {
    path: /(?:^|\/)(?:blogs?|posts?|announcements?|articles?)\/|(?:^|\/)\d{4}-\d{2}-\d{2}[-_.]/i,
    asked: /\b(?:blogs?|announce\w*|articles?)\b/i,
    factor: 0.5,
  },
  {
    path: /(?:^|\/)(?:contributing|contributors?|code[-_]of[-_]conduct|governance|maintain(?:er|ing)\w*|pull_request_template|issue_template|rfcs?|adrs?|proposals?|internals?)(?:\/|[-_.])/i,
    title: /^(?:contributing|contributor|code of conduct|governance)\b/i,
    asked:
      /\b(?:contribut\w+|pull requests?|maintain\w*|governance|conduct|rfcs?|proposals?|internals?|itself|help)\b/i,
    factor: 0.7,
  },
  {
    path: /(?:^|\/)[^/]*(?:migrat(?:e|ing|ion)|upgrad(?:e|ing)|breaking-?changes|deprecat(?:ed|ions?))[^/]*(?:\/|\.\w+$)|(?:^|\/)(?:archived?|legacy|old)\//i,
    title: /\b(?:migrat(?:e|ing|ion)|upgrad(?:e|ing)|breaking changes)\b/i,
    asked:
      /\b(?:migrat\w+|upgrad\w+|updat(?:e|ed|ing) (?:to|from)|mov(?:e|ed|ing) (?:to|from)|going to v|from v?\d|to v?\d|v\d+|version \d|breaking|broke|deprecat\w+|removed|dropped|drop|renamed?|replaced|replacement|legacy|no longer|used to|anymore|still|worked before)\b/i,
    factor: 0.7,
  },
];

/** Returns a factor below 1 for pages that only mention topics, such as changelogs and notes for agents. */
export function kindFactor({ path, title }: DocsPage, question: string): number {
  const kind = kinds.find((each) => each.path.test(path) || each.title?.test(title) === true);
  return kind === undefined || kind.asked.test(question) ? 1 : kind.factor;
}
