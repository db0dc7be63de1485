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

/** Checks a part of a message as it crosses to the webview. */
export const messagePartSchema: v.GenericSchema<unknown, MessagePart> = v.variant('type', [
  v.object({ type: v.literal('text'), text }),
  reasoningPartSchema,
  sourcePartSchema,
  v.object({ type: v.literal('file'), mediaType: text, url: text, filename: optionalText }),
  v.object({ type: v.literal('step-start') }),
  v.object({
    type: v.literal('search'),
    toolCallId: text,
    toolName: text,
    state: v.picklist(['running', 'done', 'failed']),
    query: optionalText,
    resultCount: v.exactOptional(v.number()),
  }),
]);
