/** Replies as a model writes them over the sample docs. Every statement is true. */
export const writtenReplies: readonly (readonly [sections: readonly string[], text: string])[] = [
  [
    [
      'v2/en/webhooks#verify-the-signature',
      'v2/en/webhooks#verify-in-typescript',
      'v2/en/cli#receive-webhooks-locally',
    ],
    `To verify a Parcelwren webhook in TypeScript, use \`constructEvent\` from \`@parcelwren/sdk/webhooks\`. It checks both the signature and the timestamp, and throws a \`SignatureError\` if either is wrong [2].

Here's a minimal Express handler:

\`\`\`ts
import express from 'express';
import { constructEvent, SignatureError } from '@parcelwren/sdk/webhooks';

const app = express();
app.post('/webhooks', express.raw({ type: 'application/json' }), (req, res) => {
  try {
    const event = constructEvent(req.body, req.header('Parcelwren-Signature') ?? '', process.env.PARCELWREN_WEBHOOK_SECRET ?? '');
    console.log(event.type);
    res.sendStatus(204);
  } catch (err) {
    if (err instanceof SignatureError) return res.sendStatus(400);
    throw err;
  }
});
\`\`\`

A few things to keep in mind:

- **Use the raw body.** \`express.json\` changes the bytes, so the signature would no longer match [2].
- Return \`400\` for a bad signature [1].
- Events older than 300 seconds are rejected to prevent replay attacks [1].
- For local testing, the CLI prints a temporary signing secret that you pass as \`PARCELWREN_WEBHOOK_SECRET\` [3].

Let me know if you use another framework!`,
  ],
  [
    [
      'v2/en/rate-limits#limits',
      'v2/en/rate-limits#when-you-are-limited',
      'v2/en/rate-limits#what-the-sdks-retry',
      'v2/en/configuration#settings',
    ],
    `**Short answer:** a live key can make 600 reads, 120 writes and 60 rate quotes per minute [1].

In the sandbox, all requests share a limit of 60 per minute [1]. If you exceed a limit, the API responds with \`429\` and the error code \`rate_limited\`, and your request isn't executed [2]. Wait for the number of seconds in \`Retry-After\` before sending it again [2].

The SDKs handle this for you: they retry up to 3 times, with a random delay that starts at up to 500 ms and doubles each time, capped at 8 seconds [3]. You can adjust this with \`max_retries\` (\`maxRetries\` in TypeScript) [4].`,
  ],
  [
    [
      'v2/en/resources/labels#void-a-label',
      'v2/en/resources/shipments#void-a-shipment',
      'v2/en/resources/labels#return-labels',
    ],
    `You can cancel a label by voiding its shipment with \`POST /v2/shipments/{id}/void\` [2].

Two conditions apply [2]:

1. It must be within 28 days of purchase.
2. The carrier must not have scanned the parcel yet.

If one of them isn't met, you get \`409 shipment_not_voidable\` [2]. The status switches to \`voided\` right away, but the refund to your balance can take up to 14 days because the carrier has to confirm it first [1].

| Question | Answer |
|---|---|
| Deadline | 28 days [2] |
| Refund | up to 14 days [1] |

Return labels are different: they're only charged once the carrier scans them, and unused ones expire after 60 days [3].`,
  ],
  [
    [
      'v2/de/webhooks#signatur-prüfen',
      'v2/de/webhooks#wiederholungen',
      'v2/de/webhooks#duplikate-und-reihenfolge',
    ],
    `Prüfen Sie die Kopfzeile \`Parcelwren-Signature\`: Sie enthält einen Zeitstempel \`t\` und die Signatur \`v1\` [1]. Berechnen Sie den HMAC-SHA256 über Zeitstempel, Punkt und den unveränderten Anfrageinhalt und vergleichen Sie das Ergebnis [1].

Beachten Sie außerdem:

- Weicht der Zeitstempel um mehr als 300 Sekunden ab, sollten Sie die Zustellung ablehnen [1].
- Parcelwren versucht eine fehlgeschlagene Zustellung bis zu siebenmal erneut [2].
- Nach 5 Tagen ohne erfolgreiche Zustellung wird der Endpunkt deaktiviert [2].
- Ereignisse können doppelt eintreffen; speichern Sie daher die \`id\` [3].`,
  ],
  [
    [
      'v2/en/admin/self-hosting#requirements',
      'v2/en/admin/self-hosting#run-on-kubernetes',
      'v2/en/admin/self-hosting#values',
      'v2/en/admin/self-hosting#what-works-offline',
    ],
    `You can run Parcelwren Edge on Kubernetes with its Helm chart [2]. You'll need PostgreSQL 14 or newer, at least 2 CPU cores and 4 GB of memory [1].

\`\`\`bash
helm repo add parcelwren https://charts.parcelwren.example
helm upgrade --install edge parcelwren/parcelwren-edge -f values.yaml
\`\`\`

The most important values are:

- \`apiKey.existingSecret\` (required): the Kubernetes secret with your live key [3]
- \`replicaCount\`: the number of pods, \`1\` by default [3]
- \`queue.maxRequests\`: \`10000\` by default, which is also the maximum [3]

When the connection to the cloud is lost, Edge keeps queuing new shipments and can still print labels from the number pool for 24 hours [4]. Rate quotes aren't available offline and fail with a \`503\` [4]. The docs don’t mention how to run more than one Edge per warehouse.`,
  ],
  [
    [
      'v2/en/pagination#parameters',
      'v2/en/pagination#response',
      'v2/en/pagination#cursors',
      'v2/en/pagination#read-all-pages-with-an-sdk',
    ],
    `Lists are paginated with cursors. Pass the \`next_cursor\` of the previous page as \`cursor\`, and stop when \`has_more\` is \`false\` [1][2].

The default page size is 25 items; the maximum is 100 [1]. Requests with a higher \`limit\` fail with \`400 invalid_request\` rather than being capped [1]. Cursors are valid for an hour [3].

With an SDK you don't have to handle cursors yourself [4]:

\`\`\`python
for shipment in client.shipments.list(limit=100):
    process(shipment)
\`\`\``,
  ],
  [
    [
      'v2/en/authentication#rotate-a-key',
      'v2/en/authentication#revoke-a-leaked-key',
      'v2/en/authentication#expiring-keys',
    ],
    `If a key has leaked, rotate it with \`"grace_period_hours": 0\` so that the old one stops working within a minute [2]. Afterwards, look through the audit log for requests that you didn't make [2].

For a planned rotation:

1. Rotate the key with \`POST /v2/api-keys/{id}/rotate\` and store the new secret. It's only shown once [1].
2. Deploy it everywhere the old key is used [1].
3. Watch \`last_used_at\` of the old key, then revoke it [1].

By default, the old key stays valid for another 24 hours; you can set anything between 0 and 168 hours [1]. You need the \`keys:manage\` scope to do this [1].`,
  ],
];
