import assert from 'node:assert/strict';
import { glossaryTerms, translationProblems } from '../../tooling/translationProblems.mjs';

const titles = { 'Choose Docs…': 'Docs auswählen…' };
const terms = [{ english: 'thread', forms: ['thread'] }];

function problemsOf(english: string, text: string | undefined): string[] {
  const translated: Record<string, string> = text === undefined ? {} : { [english]: text };
  return translationProblems('de', { source: { [english]: english }, translated, terms, titles });
}

describe('translationProblems', () => {
  const right: [string, string][] = [
    ['{0} of {1} pages', '{1} Seiten, davon {0}'],
    [
      'Run *Choose Docs…* to start.\n[Start](command:a.b)',
      '*Docs auswählen…*.\n[Los](command:a.b)',
    ],
    ['Sets `docs` for this thread.', 'Legt `docs` für diesen Thread fest.'],
  ];
  for (const [english, text] of right) {
    it(`takes “${text}” for “${english}”`, () => assert.deepEqual(problemsOf(english, text), []));
  }

  const wrong: [what: string, english: string, text: string | undefined, RegExp][] = [
    ['a text that is missing', 'Copy', undefined, /is not translated/],
    ['an empty text', 'Copy', ' ', /is not translated/],
    [
      'a lost placeholder',
      '{0} of {1}',
      '{0} von',
      /placeholders differ: \{0\} instead of \{0\} \{1\}/,
    ],
    ['another command behind a link', '[A](command:a.b)', '[A](command:a.c)', /links differ/],
    ['other code', 'Use `docs`.', 'Nutzen Sie `Docs`.', /code differ/],
    ['a lost line', 'a\nb', 'a b', /line breaks differ/],
    ['another URL', 'See https://a.example.', 'Siehe https://b.example.', /URLs differ/],
    ['a lost ellipsis of a command', 'Open…', 'Öffnen', /ends in “” instead of “…”/],
    ['a label that became a sentence', 'Sources', 'Quellen.', /ends in “\.” instead of “”/],
    ['a space too many', 'Copy', 'Kopieren ', /a space too many/],
    [
      'a command by another name',
      'Run *Choose Docs…*.',
      '*Docs wählen…*.',
      /names the command “Choose/,
    ],
    ['a term by another word', 'New thread', 'Neues Gespräch', /has none of “thread”/],
  ];
  for (const [what, english, text, problem] of wrong) {
    it(`names ${what}`, () => {
      const [found, ...more] = problemsOf(english, text);
      assert.match(found ?? '', problem);
      assert.deepEqual(more, []);
    });
  }

  it('names a translation of a text that is no longer there', () => {
    const problems = translationProblems('de', {
      source: {},
      translated: { Copy: 'Kopieren' },
      terms,
      titles,
    });
    assert.deepEqual(problems, ['de: “Copy” is in no source text']);
  });
});

describe('glossaryTerms', () => {
  it('reads the rows of the table', () => {
    const page =
      '# Terms\n\n| English | German |\n|---|---|\n| Reply | Antwort, antworte |\n\nMore.\n';
    assert.deepEqual(glossaryTerms(page), [{ english: 'reply', forms: ['antwort', 'antworte'] }]);
  });
});
