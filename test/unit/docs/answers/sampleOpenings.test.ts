import assert from 'node:assert/strict';
import { addressesAt } from '../../../../src/docs/pages/links';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { composeAnswer } from '../../../../src/docs/answers/answer';
import { isPagePath } from '../../../../src/docs/pages/pagePath';
import { parsePage } from '../../../../src/docs/pages/page';
import { SetIndex } from '../../../../src/docs/search/setIndex';
import { retrieve } from '../../../../src/docs/search/retrieval';
import { aQuestion, turnsOf } from '../../service/docs';

const sampleDocs = path.resolve('src/service/sample/docs');
/** Share of the questions whose first passage must have the fact that answers. */
const MIN_ANSWERED = 0.8;
const PAGE_SIZE = 8;

/** Questions, each with the fact that the first passage must have. */
const questions: readonly (readonly [question: string, fact: RegExp])[] = [
  ['How many read requests may a live key make per minute?', /600 reads/],
  ['How many requests can run at the same time?', /\b20\b/],
  ['How long is a rate valid?', /30 minutes/],
  ['How long is an idempotency key remembered?', /24 hours/],
  ['How long may an idempotency key be?', /64 characters/],
  ['What is the default page size?', /\b25\b/],
  ['How long is a cursor valid?', /60 minutes/],
  ['How large may a request body be?', /1 MB/],
  ['How many rows may a batch have?', /5,000/],
  ['How many batches run at the same time?', /\b(?:4|four)\b/],
  ['How large may a customs document be?', /10 MB/],
  ['How long are audit log entries kept?', /400 days/],
  ['When is personal data redacted?', /180 days/],
  ['How many times is a webhook delivery retried?', /\b7 times/],
  ['How quickly must I answer a webhook?', /10 seconds/],
  ['How many webhook endpoints can an account have?', /\b16\b/],
  ['How long can I resend an event?', /30 days/],
  ['Until when can a label be voided?', /28 days/],
  ['How long does a refund take?', /14 days/],
  ['How many parcels may a shipment have?', /\b20\b/],
  ['How old does a draft get before it is deleted?', /90 days/],
  ['How many active keys can an account have?', /\b10\b/],
  ['What is the grace period when a key is rotated?', /24 hours/],
  ['How long do sandbox objects live?', /30 days/],
  ['How many characters may a tracking page notice have?', /2,000/],
  ['Which Node.js version does the TypeScript SDK need?', /Node\.js 20/],
  ['Which version of PostgreSQL does Edge need?', /14/],
  ['On which port does Edge serve metrics?', /9090/],
  ['How do I turn retries off?', /max_retries|`0`/],
  ['How do I receive webhooks on my own machine?', /webhooks listen/],
  ['How do I sign in on a server?', /PARCELWREN_API_KEY/],
  ['How do I track a parcel that was bought elsewhere?', /tracker/i],
  ['How do I install the CLI?', /npm install|@parcelwren\/cli|Install/],
  ['Can a key rotate itself?', /cannot rotate itself/],
  ['Can Oxcart Freight labels be converted to zpl?', /cannot be converted/],
  ['Is single sign-on supported?', /SAML|OpenID/],
  ['Can I turn certificate checks off?', /no setting/],
  ['Are redirects of a webhook followed?', /not followed/],
  ['What does 410 rate_expired mean?', /rate_expired/],
  ['What is a tracker?', /follows one tracking number|tracker/i],
  ['Why are there no total counts in lists?', /counting would make/],
  ['Wie viele Endpunkte sind für Webhooks möglich?', /16/],
  ['Wie lange gilt ein Preisangebot?', /30 Minuten/],
  ['Wie lange dauert die Rückerstattung?', /14 Tage/],
  ['Bis wann kann ich eine Sendung stornieren?', /28 Tagen/],
  ['Wie viele Anfragen dürfen gleichzeitig laufen?', /20 Anfragen/],
  ['Werden Weiterleitungen verfolgt?', /nicht verfolgt/],
  ['Wie lange ist der Link zu einem Etikett gültig?', /60 Minuten/],
];

const followUps: readonly (readonly [first: string, then: string, fact: RegExp])[] = [
  ['How many requests may I send per minute?', 'And in the sandbox?', /60|\b5\b|[Ss]andbox/],
  ['How do I void a shipment?', 'When does the refund come?', /refund/],
  ['How do I install the TypeScript SDK?', 'And the Go SDK?', /\bGo\b|`go |\/go/],
  ['How long is a cursor valid?', 'And an idempotency key?', /24 hours|[Ii]dempoten/],
  ['How do I verify a webhook?', 'How often is it retried?', /retr|7 times/],
];

describe('the first passage of replies over the sample docs', () => {
  const index = new SetIndex();
  before(() => {
    for (const file of readdirSync(sampleDocs, { recursive: true, encoding: 'utf8' }).sort()) {
      const route = file.replaceAll('\\', '/');
      if (!isPagePath(route)) continue;
      index.put(parsePage(route, readFileSync(path.join(sampleDocs, file), 'utf8')));
    }
  });

  function firstPassage(question: string, ...earlier: string[]): string {
    const asked = aQuestion(question, { earlier: turnsOf(...earlier) });
    const retrieval = retrieve(index, asked, undefined, PAGE_SIZE);
    const addresses = addressesAt(() => 'http://127.0.0.1:4100');
    const { text } = composeAnswer({
      question,
      retrieval,
      index,
      addresses,
      filter: undefined,
      isIndexed: true,
    });
    return text.split('\n\n**Read more**')[0]?.split('\n\n**Zum Weiterlesen**')[0] ?? '';
  }

  it('contains the fact that answers, for four in five questions', () => {
    const missed = questions.flatMap(([question, fact]) => {
      const first = firstPassage(question);
      return fact.test(first) ? [] : [`${question} → ${first}`];
    });
    const share = 1 - missed.length / questions.length;
    assert.ok(share >= MIN_ANSWERED, `${missed.length} missed\n${missed.join('\n')}`);
  });

  it("is about the follow-up's own topic", () => {
    const missed = followUps.flatMap(([first, then, fact]) => {
      const paragraph = firstPassage(then, first);
      return fact.test(paragraph) ? [] : [`${first} ${then} → ${paragraph}`];
    });
    assert.ok(missed.length <= 1, missed.join('\n'));
  });
});
