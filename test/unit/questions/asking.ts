/** Questions over scripted replies. */
import type { DocsQuestion } from '../../../src/questions/docsQuestion';
import { readQuestionFile } from '../../../src/questions/readQuestionFile';
import {
  type AnsweredQuestion,
  type AskedQuestion,
  runQuestions,
  type RunOptions,
  type RunPorts,
} from '../../../src/questions/runQuestions';
import { plainTranslate } from '../../../src/common/errors';
import type { DocsTarget } from '../../../src/docsTools/docsTools';
import { events } from '../../builders/stream';
import { FakeClock } from '../../fakes/fakeClock';
import { streamOf } from '../../fakes/fakeFetch';
import { RecordingLog } from '../../fakes/recordingLog';

/** Returns the only question of a file with this text. */
export function questionOf(text: string): DocsQuestion {
  const { questions, problems } = readQuestionFile(text);
  const [question] = questions;
  if (!question || problems.length > 0) throw new Error(JSON.stringify(problems));
  return question;
}

/** Returns the questions of a text as a file has them. */
export function questionsOf(text: string, file = 'docs-questions.yaml'): AskedQuestion[] {
  return readQuestionFile(text).questions.map((question) => ({ question, file }));
}

/** Returns a whole reply that cites these URLs. */
export function replyWith(text: string, ...urls: readonly string[]): Response {
  return streamOf([
    events(
      { type: 'start', messageId: 'm1' },
      ...urls.map((url, index) => ({ type: 'source-url', sourceId: `s${index}`, url, title: url })),
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: text },
      { type: 'text-end', id: '0' },
      { type: 'finish' },
      '[DONE]',
    ),
  ]);
}

/** A service whose answer depends on the question. */
export class ScriptedService {
  readonly asked: string[] = [];
  readonly bodies: string[] = [];
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly ports: RunPorts;

  constructor(
    answer: (question: string, count: number, signal: AbortSignal) => Response | Promise<Response>,
  ) {
    let ids = 0;
    this.ports = {
      clock: this.clock,
      log: this.log,
      newId: () => `id-${++ids}`,
      t: plainTranslate,
      fetch: async (_url, init) => {
        const body = init.body as string;
        const { messages } = JSON.parse(body) as { messages: { parts: { text: string }[] }[] };
        const question = messages.at(-1)?.parts[0]?.text ?? '';
        this.bodies.push(body);
        this.asked.push(question);
        const count = this.asked.filter((each) => each === question).length;
        return answer(question, count, init.signal ?? new AbortController().signal);
      },
    };
  }

  /** Runs questions to their end. */
  async run(
    questions: readonly AskedQuestion[],
    target: DocsTarget,
    options: Partial<RunOptions> = {},
    ports: Partial<RunPorts> = {},
  ): Promise<AnsweredQuestion[]> {
    const all: AnsweredQuestion[] = [];
    const signal = new AbortController().signal;
    const run = runQuestions(
      questions,
      target,
      { ...this.ports, ...ports },
      { signal, ...options },
    );
    for await (const answered of run) all.push(answered);
    return all;
  }
}
