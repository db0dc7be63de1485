/** Reads what readers miss from the service of a company: questions for which the docs had no source. */
import * as v from 'valibot';
import { SERVICE_MISSES } from '../common/http/companyApi';
import { cutText } from '../common/text/strings';
import { plainLine, visibleProse } from '../shared/characters';
import { parsedAs } from '../shared/schemas';
import { readFromService, type ServicePorts } from '../site/companyService';

/** A question of a week. Nothing in it tells who has asked it. */
export interface MissedQuestion {
  /** ISO week, such as `2026-W48`. */
  readonly week: string;
  readonly question: string;
  readonly count: number;
}

/** Longest question that the service notes. */
const MAX_QUESTION = 300;

const missesSchema = v.object({ misses: v.array(v.unknown()) });
const missSchema = v.object({
  week: v.pipe(v.string(), v.regex(/^\d{4}-W\d{2}$/)),
  question: v.pipe(
    v.string(),
    v.transform((text) => cutText(plainLine(visibleProse(text)), MAX_QUESTION).trim()),
    v.minLength(1),
  ),
  count: v.pipe(v.number(), v.integer(), v.minValue(1)),
});

/**
 * Returns the missed questions of a site: the last week first, and in a week the one that was asked most. Entries that
 * can't be read are left out.
 * @throws {DocsAssistantError}
 * @throws the signal's reason when stopped.
 */
export async function missedQuestions(
  { baseUrl, domain }: { readonly baseUrl: string; readonly domain: string },
  adminKey: string,
  ports: ServicePorts,
  signal: AbortSignal,
): Promise<readonly MissedQuestion[]> {
  const url = `${baseUrl}${SERVICE_MISSES}?site=${encodeURIComponent(domain)}`;
  const { misses } = await readFromService(url, missesSchema, adminKey, ports, signal);
  return misses
    .flatMap((each) => parsedAs(missSchema, each) ?? [])
    .toSorted((a, b) => b.week.localeCompare(a.week) || b.count - a.count);
}
