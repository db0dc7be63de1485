/**
 * Measures how many questions of a file are asked and checked in a second, at the local docs
 * service over 1,000 pages. The peer sends the same questions as bare requests, one after the
 * other, and checks nothing.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/common/clock';
import { plainTranslate } from '../../src/common/errors';
import { silentLog } from '../../src/common/ports';
import type { DocsTarget } from '../../src/docsTools/docsTools';
import { readQuestionFile } from '../../src/questions/readQuestionFile';
import { runQuestions } from '../../src/questions/runQuestions';
import { seededRandom } from '../builders/seededRandom';
import { against, median, report } from './benchRow';

const folder = path.resolve('out/bench/questions');
const KEY = 'local_dsc_benchbenchbench';
const PAGES = 1000;
const QUESTIONS = 200;
const ROUNDS = 3;

const random = seededRandom(14);
const syllables = ['ka', 'lo', 'mi', 'ne', 'ru', 'ta', 'vo', 'se', 'di', 'pu'];
const word = (index: number): string =>
  Array.from(String(index + 100), (digit) => syllables[Number(digit)]).join('');
const commonWord = (): string => word(Math.floor(4000 * (random(1_000_000) / 1_000_000) ** 3));
const sentence = (): string => `${Array.from({ length: 12 }, commonWord).join(' ')}.`;

/** Writes pages that each have a word of their own in two sections, and returns their questions. */
function writePages(): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < PAGES; index++) {
    const own = word(10_000 + index);
    const sections = Array.from({ length: 4 }, (_, section) => {
      const about = section < 2 ? `${own} ${commonWord()}` : `${commonWord()} ${commonWord()}`;
      return `## ${about}\n\n${sentence()} ${section < 2 ? own : ''} ${sentence()}\n\n${sentence()}\n`;
    });
    writeFileSync(path.join(folder, `page-${index}.md`), `# ${own}\n\n${sections.join('\n')}`);
  }
  const questions = Array.from({ length: QUESTIONS }, (_, index) => {
    const page = index * 5;
    const own = word(10_000 + page);
    return `- question: How do I use ${own} with ${commonWord()}?\n  pages: page-${page}\n  contains: [${own}]\n`;
  });
  return questions.join('');
}

async function startService(): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = spawn(
    process.execPath,
    [...['dist/localService.js', '--docs', folder, '--pace', '0', '--quiet'], '--exit-with-parent'],
    { env: { ...process.env, DOCS_ASSISTANT_KEY: KEY }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const url = await new Promise<string>((resolve, reject) => {
    let address = '';
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = JSON.parse(line) as { event: string; url?: string };
      if (event.event === 'listening') address = event.url ?? '';
      if (event.event === 'indexed') resolve(address);
      if (event.event === 'error') reject(new Error(line));
    });
  });
  return {
    url,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

const file = readQuestionFile(writePages());
if (file.questions.length !== QUESTIONS) throw new Error(JSON.stringify(file.problems[0]));
const service = await startService();
const settings = {
  baseUrl: service.url,
  assistantDomain: 'sample',
  fp: 'anonymous',
  filter: {},
  retrievalPageSize: 5,
  idleTimeoutMs: 60_000,
  headersTimeoutMs: 60_000,
};
const target: DocsTarget = {
  settings,
  label: 'bench',
  key: KEY,
  spendsCredit: false,
  local: { url: service.url, domain: 'sample', key: KEY },
};

/** Returns the time of all questions in milliseconds. @throws Error if one doesn't pass. */
async function ours(): Promise<number> {
  const startedAt = performance.now();
  const run = runQuestions(
    file.questions.map((question) => ({ question })),
    target,
    {
      clock: systemClock,
      log: silentLog,
      newId: randomUUID,
      t: plainTranslate,
      fetch: (url, init) => fetch(url, init),
    },
    { signal: new AbortController().signal },
  );
  for await (const { result } of run) {
    if (result.status !== 'pass') throw new Error(JSON.stringify(result));
  }
  return performance.now() - startedAt;
}

async function peer(): Promise<number> {
  const startedAt = performance.now();
  for (const { question } of file.questions) {
    const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text: question }] };
    const response = await fetch(`${service.url}/v2/assistant/sample/message`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ fp: 'anonymous', messages: [message] }),
    });
    const text = await response.text();
    if (!response.ok || !text.includes('[DONE]')) throw new Error(text.slice(0, 500));
  }
  return performance.now() - startedAt;
}

const times: { readonly ours: number[]; readonly peer: number[] } = { ours: [], peer: [] };
for (let round = 0; round < ROUNDS; round++) {
  times.peer.push(await peer());
  times.ours.push(await ours());
}
await service.stop();
rmSync(folder, { recursive: true, force: true });
const perQuestion = median(times.ours) / QUESTIONS;
report([
  against({
    name: 'Questions: one of 200 on 1,000 pages',
    unit: 'ms',
    ours: perQuestion,
    peer: median(times.peer) / QUESTIONS,
    peerName: 'bare requests, one after the other, unchecked',
    goal: 1.5,
    note: `${(1000 / perQuestion).toFixed(0)} questions a second`,
  }),
]);
