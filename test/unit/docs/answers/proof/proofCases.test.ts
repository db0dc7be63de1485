import assert from 'node:assert/strict';
import { addressesAt } from '../../../../../src/docs/pages/links';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Proof } from '../../../../../src/shared/proof';
import { composeAnswer } from '../../../../../src/docs/answers/answer';
import { docsNamesOf } from '../../../../../src/docs/answers/proof/docsNames';
import { proveReply } from '../../../../../src/docs/answers/proof/proveReply';
import { type FoundSection, parsePage } from '../../../../../src/docs/pages/page';
import { isPagePath } from '../../../../../src/docs/pages/pagePath';
import { SetIndex } from '../../../../../src/docs/search/setIndex';
import { retrieve } from '../../../../../src/docs/search/retrieval';
import { aQuestion } from '../../../service/docs';
import { codeCases } from './codeCases';
import { type PlantedKind, statementCases } from './proofCases';
import { sampleQuestions } from './sampleQuestions';
import { writtenReplies } from './writtenReplies';

const sampleDocs = path.resolve('src/service/sample/docs');
const MIN_PLANTED_FOUND = 0.9;
const MAX_FALSE_ALARMS = 0.05;

const index = new SetIndex();
for (const file of readdirSync(sampleDocs, { recursive: true, encoding: 'utf8' }).sort()) {
  const route = file.replaceAll('\\', '/');
  if (isPagePath(route)) {
    index.put(parsePage(route, readFileSync(path.join(sampleDocs, file), 'utf8')));
  }
}

function sectionAt(place: string): FoundSection {
  const [route = '', slug = ''] = place.split('#');
  const page = index.pageAtRoute(route);
  const section = page?.sections.find((candidate) => candidate.slug === slug);
  assert.ok(page && section, `no section ${place}`);
  return { page, section };
}

function prove(text: string, sections: readonly FoundSection[]): Proof {
  return proveReply({ text, sections, docsNames: docsNamesOf(index), readersTexts: [] });
}

function shown({ unproven }: Proof): string {
  return unproven
    .map(({ quote, reason, missing }) => `${reason} [${missing.join(', ')}]: ${quote}`)
    .join('\n');
}

interface Count {
  found: number;
  all: number;
}

/** Rows of the table that the last test prints. */
const rows = new Map<string, Count>();

function count(row: string, isFound: boolean): void {
  const figures = rows.get(row) ?? { found: 0, all: 0 };
  figures.all++;
  if (isFound) figures.found++;
  rows.set(row, figures);
}

describe('proof of replies over the sample docs', () => {
  after(() => {
    const lines = [...rows].map(
      ([name, { found, all }]) => `${name.padEnd(40)}  ${found} of ${all}`,
    );
    process.stdout.write(`${['What was checked'.padEnd(40) + '  Marked', ...lines].join('\n')}\n`);
  });

  it("marks nothing in the docs' own words", () => {
    const alarms: string[] = [];
    let statements = 0;
    for (const question of sampleQuestions) {
      const retrieval = retrieve(index, aQuestion(question), undefined, 8);
      const { text } = composeAnswer({
        question: question,
        retrieval,
        index,
        filter: undefined,
        addresses: addressesAt(() => 'http://127.0.0.1:4100'),
        isIndexed: true,
        // Numbers of citations are positions in the list of sections.
        keepsOrder: true,
      });
      const proof = prove(text, retrieval.sections);
      statements += proof.statements;
      // A quoted passage has one citation for all of its paragraphs.
      const unproven = proof.unproven.filter(({ reason }) => reason !== 'uncited');
      count('replies of quotations', unproven.length > 0);
      if (unproven.length > 0) alarms.push(`${question}\n${shown({ ...proof, unproven })}`);
    }
    assert.ok(sampleQuestions.length >= 60 && statements > 200, `${statements} statements`);
    assert.deepEqual(alarms, []);
  });

  // Shows faults.md W5.
  it('marks at most one in twenty true statements in other words', () => {
    const alarms: string[] = [];
    for (const { section, statement } of statementCases) {
      const proof = prove(`${statement} [1]`, [sectionAt(section)]);
      count('true statements in other words', proof.found !== 1);
      if (proof.found !== 1) alarms.push(`${section} ${shown(proof)}`);
    }
    assert.ok(statementCases.length >= 40);
    assert.ok(alarms.length <= statementCases.length * MAX_FALSE_ALARMS, alarms.join('\n'));
  });

  it('marks at most one in twenty true statements of whole replies', () => {
    const alarms: string[] = [];
    let all = 0;
    for (const [places, text] of writtenReplies) {
      const proof = prove(text, places.map(sectionAt));
      all += proof.statements;
      for (let done = 0; done < proof.statements; done++) {
        count('true statements of whole replies', done >= proof.found);
      }
      if (proof.unproven.length > 0) alarms.push(shown(proof));
      assert.ok(
        proof.unproven.every(({ reason }) => reason !== 'code-name'),
        shown(proof),
      );
    }
    assert.ok(all >= 40, `${all} statements`);
    assert.ok(alarms.length <= all * MAX_FALSE_ALARMS, alarms.join('\n'));
  });

  it('marks no code that uses what the docs have', () => {
    for (const { code } of codeCases) {
      const proof = prove(code, [sectionAt('v2/en/cli#commands')]);
      count('code that uses what the docs have', proof.unproven.length > 0);
      assert.deepEqual(proof.unproven, [], code);
    }
  });

  // Shows faults.md W6.
  it('finds nine in ten planted errors', () => {
    const missed: string[] = [];
    let all = 0;
    const note = (kind: PlantedKind, isFound: boolean, what: string): void => {
      all++;
      count(kind, isFound);
      if (!isFound) missed.push(`${kind}: ${what}`);
    };
    for (const { section, planted } of statementCases) {
      for (const [kind, statement] of planted) {
        const { unproven } = prove(`${statement} [1]`, [sectionAt(section)]);
        note(kind, unproven.length > 0, `${statement} (${section})`);
      }
    }
    for (const { planted } of codeCases) {
      for (const [code, name] of planted) {
        const { unproven } = prove(code, [sectionAt('v2/en/cli#commands')]);
        const isFound = unproven.some(
          ({ reason, quote }) => reason === 'code-name' && quote === name,
        );
        note('invented name in code', isFound, code);
      }
    }
    const found = all - missed.length;
    assert.ok(all >= 60);
    assert.ok(found / all >= MIN_PLANTED_FOUND, `${found} of ${all}\n${missed.join('\n')}`);
  });
});
