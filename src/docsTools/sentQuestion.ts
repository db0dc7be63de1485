/** Questions as they leave this machine: secrets are found and replaced, and named to the caller. */
import type { QuestionCode } from './askStream';
import type { AskInput } from './toolDefinitions';

/** A question without the secrets that a scan found in it. */
export interface SentQuestion extends AskInput {
  /** English names of what was replaced, such as `Stripe key`. Empty if nothing was. */
  readonly redacted: readonly string[];
}

/**
 * Replaces secrets in the question and the code of a call, because agents put whole files and logs
 * into them and nobody reads them first.
 * @param known secrets that this program has seen, such as the admin key.
 */
export async function sentQuestion(
  input: AskInput,
  known: readonly string[] = [],
): Promise<SentQuestion> {
  const { redactSecrets } = await import('../common/secretScan/scanText');
  const question = await redactSecrets(input.question, { known });
  const code = await redactSecrets(input.code ?? '', { known });
  return {
    ...input,
    question: question.text,
    code: input.code === undefined ? undefined : code.text,
    redacted: [...new Set([...question.labels, ...code.labels])],
  };
}

/** Replaces secrets in the files that a person sends along with a question. */
export async function sentCode(
  files: readonly QuestionCode[],
  known: readonly string[] = [],
): Promise<{ readonly code: readonly QuestionCode[]; readonly redacted: readonly string[] }> {
  if (files.length === 0) return { code: files, redacted: [] };
  const { redactSecrets } = await import('../common/secretScan/scanText');
  const labels = new Set<string>();
  const code: QuestionCode[] = [];
  for (const file of files) {
    const { text, labels: found } = await redactSecrets(file.text, { known });
    for (const label of found) labels.add(label);
    code.push({ ...file, text });
  }
  return { code, redacted: [...labels] };
}
