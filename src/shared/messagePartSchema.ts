import * as v from 'valibot';
import type { MessagePart } from './uiMessage';

const text = v.string();
const optionalText = v.exactOptional(text);

export const reasoningPartSchema = v.object({ type: v.literal('reasoning'), text });
export const sourcePartSchema = v.object({
  type: v.literal('source-url'),
  sourceId: text,
  url: text,
  title: optionalText,
});

/**
 * Returns a schema that checks an object by the one schema that its `key` names. `v.variant` runs
 * the head of every schema, which doubles what opening a long thread costs.
 */
export function chosenBy<Output>(
  key: string,
  schemas: Readonly<Record<string, v.GenericSchema<unknown, Output>>>,
): v.GenericSchema<unknown, Output> {
  const byName = new Map<unknown, v.GenericSchema<unknown, Output>>(Object.entries(schemas));
  const none = v.never();
  return v.lazy((input) => {
    const isObject = typeof input === 'object' && input !== null;
    return (isObject ? byName.get(Reflect.get(input, key)) : undefined) ?? none;
  });
}

/** Checks a part of a message as it crosses to the webview. */
export const messagePartSchema = chosenBy<MessagePart>('type', {
  text: v.object({ type: v.literal('text'), text }),
  reasoning: reasoningPartSchema,
  'source-url': sourcePartSchema,
  file: v.object({
    type: v.literal('file'),
    mediaType: text,
    url: text,
    filename: optionalText,
  }),
  'step-start': v.object({ type: v.literal('step-start') }),
  search: v.object({
    type: v.literal('search'),
    toolCallId: text,
    toolName: text,
    state: v.picklist(['running', 'done', 'failed']),
    query: optionalText,
    resultCount: v.exactOptional(v.number()),
  }),
});
