import type { NewId } from '../../common/ports';
import { askedQuestion } from './askedQuestion';
import { parseMessageRequest } from './messageSchema';
import type { ModelMessage } from '../../docs/writers/model';
import { queryMessages, replyMessages } from '../../docs/writers/prompt';
import { fitParts, MAX_PROMPT_TOKENS } from '../../docs/writers/promptBudget';
import { fitForQueries } from '../../docs/writers/searchQueries';

/** The requests to a model that one question leads to, as far as they are known before it is sent. */
interface RequestPreview {
  /** Request for search queries. A slow model, or one with a small window, doesn't get it. */
  readonly queries: readonly ModelMessage[];
  /** Request for the reply, with a placeholder for the sections. */
  readonly reply: readonly ModelMessage[];
}

/**
 * Returns what a question makes the local docs service send to a model, with the functions that send it. The
 * texts are those for the largest window. A model with a smaller one gets less of them.
 * @param body body of the question's request.
 * @param sections text that stands for the sections, which only a search can find.
 * @returns undefined for a body that the service would refuse.
 */
export function requestPreview(
  body: unknown,
  sections: string,
  newId: NewId,
): RequestPreview | undefined {
  const parsed = parseMessageRequest(body);
  if (!parsed.ok) return undefined;
  const { text, contextItems, earlier: turns } = askedQuestion(parsed.request, []);
  const earlier = turns.map(({ question, reply = '' }) => ({ question, reply }));
  const parts = { question: text, attachments: contextItems, earlier };
  const fitted = fitParts(
    { question: parts.question, attachments: parts.attachments, earlier, sections: [] },
    {
      maxInputTokens: MAX_PROMPT_TOKENS,
      fixedTokens: 0,
      wish: { weightOf: () => 0, codeLanguage: undefined },
    },
  );
  return {
    queries: queryMessages(fitForQueries(parts, MAX_PROMPT_TOKENS), newId),
    reply: replyMessages(
      {
        question: fitted.question,
        attachments: fitted.attachments,
        earlier: fitted.earlier,
        sections: [{ number: 1, title: '…', markdown: sections }],
      },
      newId,
    ),
  };
}
