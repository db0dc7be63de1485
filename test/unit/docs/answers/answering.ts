import { type Answer, composeAnswer } from '../../../../src/docs/answers/answer';
import { addressesAt } from '../../../../src/docs/pages/links';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { aQuestion, filler, indexOf } from '../../service/docs';

/** Returns the reply to a question about pages, and about others that say nothing about it. */
export function answer(pages: Record<string, string>, question: string): Answer {
  const rest = { 'x.md': filler('invoices'), 'y.md': filler('maps'), 'z.md': filler('trains') };
  const index = indexOf({ ...rest, ...pages });
  return composeAnswer({
    question,
    retrieval: retrieve(index, aQuestion(question), undefined, 5),
    index,
    filter: undefined,
    addresses: addressesAt(() => 'http://127.0.0.1:4100'),
    isIndexed: true,
  });
}
