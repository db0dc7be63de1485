/**
 * Statements as a model writes them over the sample docs: true ones in its own words, and the same ones
 * with a planted error. Each cites one section.
 */

export type PlantedKind =
  | 'changed number'
  | 'wrong unit'
  | 'renamed name'
  | 'swapped default'
  | 'invented flag'
  | 'negation'
  | 'opposite'
  | 'swapped thing'
  | 'invented claim'
  | 'invented name in code';

export interface StatementCase {
  /** Route and fragment of the cited section. */
  readonly section: string;
  readonly statement: string;
  readonly planted: readonly (readonly [PlantedKind, string])[];
}

export const statementCases: readonly StatementCase[] = [
  {
    section: 'v2/en/rate-limits#limits',
    statement: 'With a live key you can send up to 600 read requests and 120 writes each minute.',
    planted: [
      [
        'changed number',
        'With a live key you can send up to 500 read requests and 120 writes each minute.',
      ],
      [
        'wrong unit',
        'With a live key you can send up to 600 read requests within 60 seconds and 120 writes within 60 hours.',
      ],
    ],
  },
  {
    section: 'v2/en/rate-limits#limits',
    statement:
      'In live mode, no more than 20 requests may run concurrently, while the sandbox allows 5.',
    planted: [
      [
        'changed number',
        'In live mode, no more than 20 requests may run concurrently, while the sandbox allows 8.',
      ],
      [
        'opposite',
        'In test mode, at most 20 requests may run concurrently, and the concurrency limit can be raised.',
      ],
    ],
  },
  {
    section: 'v2/en/rate-limits#headers',
    statement: 'The `Retry-After` header is only sent with `429` and `503` responses.',
    planted: [
      ['renamed name', 'The `Retry-In` header is only sent with `429` and `503` responses.'],
      ['changed number', 'The `Retry-After` header is only sent with `429` and `504` responses.'],
      [
        'swapped thing',
        'The `RateLimit-Limit` header tells how many seconds to wait after a `429`.',
      ],
    ],
  },
  {
    section: 'v2/en/rate-limits#what-the-sdks-retry',
    statement:
      'By default the SDKs try a failed request again up to three times, and never wait longer than 8 s.',
    planted: [
      [
        'changed number',
        'By default the SDKs try a failed request again up to five times, and never wait longer than 10 s.',
      ],
      [
        'wrong unit',
        'By default the SDKs try a failed request again, and never wait longer than 8 minutes.',
      ],
    ],
  },
  {
    section: 'v2/en/rate-limits#what-the-sdks-retry',
    statement: 'You can turn retries off by setting `max_retries` to `0`.',
    planted: [
      ['renamed name', 'You can turn retries off by setting `retry_limit` to `0`.'],
      ['changed number', 'You can turn retries off by setting `max_retries` to `-1`.'],
    ],
  },
  {
    section: 'v2/en/configuration#settings',
    statement: 'Each attempt times out after 30 seconds unless you change `timeout_ms`.',
    planted: [
      ['changed number', 'Each attempt times out after 60 seconds unless you change `timeout_ms`.'],
      [
        'renamed name',
        'Each attempt times out after 30 seconds unless you change `request_timeout`.',
      ],
      ['wrong unit', 'The `timeout_ms` setting is 30000 seconds for one attempt.'],
    ],
  },
  {
    section: 'v2/en/configuration#settings',
    statement: '`max_retries` defaults to 3 and accepts values from 0 to 10.',
    planted: [
      ['swapped default', '`max_retries` defaults to 5 and accepts values from 0 to 10.'],
      ['swapped default', '`max_retries` defaults to `30000`.'],
    ],
  },
  {
    section: 'v2/en/configuration#settings',
    statement: 'The default for `log_level` is `warn`.',
    planted: [
      ['swapped default', 'The default for `log_level` is `info`.'],
      ['swapped default', 'The default for `log_level` is `pdf`.'],
    ],
  },
  {
    section: 'v2/en/configuration#settings',
    statement:
      'Set the environment variable `PARCELWREN_LABEL_FORMAT` to choose the default label format, which is `pdf`.',
    planted: [
      [
        'renamed name',
        'Set the environment variable `PARCELWREN_DEFAULT_FORMAT` to choose the default label format.',
      ],
      ['swapped default', 'If you set nothing, the default label format is `zpl`.'],
    ],
  },
  {
    section: 'v2/en/configuration#order-of-precedence',
    statement:
      'A value passed in code takes precedence over an environment variable, which in turn wins over `parcelwren.yaml`.',
    planted: [
      [
        'renamed name',
        'A value passed in code takes precedence over an environment variable, which in turn wins over `.parcelwrenrc`.',
      ],
    ],
  },
  {
    section: 'v2/en/configuration#proxies',
    statement:
      'There is no option to disable certificate checks; point `ca_file` at the root certificate of your proxy instead.',
    planted: [
      [
        'renamed name',
        'To trust your proxy, point `ssl_cert_file` at the root certificate of your proxy.',
      ],
      ['invented flag', 'You can disable certificate checks with `--insecure`.'],
    ],
  },
  {
    section: 'v2/en/webhooks#verify-the-signature',
    statement:
      'Reject deliveries whose timestamp differs from your clock by more than five minutes to prevent replays.',
    planted: [
      [
        'changed number',
        'Reject deliveries whose timestamp differs from your clock by more than 600 seconds to prevent replays.',
      ],
      [
        'renamed name',
        'Read the time and signature from the `X-Parcelwren-Hmac` header of each delivery.',
      ],
      [
        'swapped thing',
        'The signature is the hex HMAC-SHA512 of the time, a full stop and the raw request body.',
      ],
    ],
  },
  {
    section: 'v2/en/webhooks#answer-quickly',
    statement:
      'Your endpoint has to return a `2xx` status in under 10 seconds, and redirects count as failures.',
    planted: [
      [
        'changed number',
        'Your endpoint has to return a `2xx` status in under 30 seconds, and redirects count as failures.',
      ],
      ['negation', 'Redirects are followed, and do not count as failures.'],
    ],
  },
  {
    section: 'v2/en/webhooks#retries',
    statement:
      'Failed deliveries are attempted seven more times, spread over about 22 hours and 36 minutes.',
    planted: [
      [
        'changed number',
        'Failed deliveries are attempted twelve more times, spread over about 22 hours and 36 minutes.',
      ],
      ['wrong unit', 'An endpoint with nothing but failures for 5 hours is disabled.'],
      ['opposite', 'An endpoint that has had nothing but failures for 5 days is enabled.'],
    ],
  },
  {
    section: 'v2/en/webhooks#duplicates-and-order',
    statement:
      'Webhook events can arrive more than once and out of order, so remember each `id` and skip repeats.',
    planted: [
      [
        'renamed name',
        'Webhook events can arrive more than once and out of order, so remember each `event_key` and skip repeats.',
      ],
    ],
  },
  {
    section: 'v2/en/webhooks#resend-an-event',
    statement:
      'You can resend an event for 30 days, for example with `parcelwren webhooks resend`.',
    planted: [
      [
        'changed number',
        'You can resend an event for 90 days, for example with `parcelwren webhooks resend`.',
      ],
      [
        'invented flag',
        'You can resend all events with `parcelwren webhooks resend --all-failed`.',
      ],
      ['renamed name', 'You can resend an event with `parcelwren webhooks replay`.'],
    ],
  },
  {
    section: 'v2/en/webhooks#rotate-the-secret',
    statement: 'After rotating, both the old and the new secret sign each delivery for a day.',
    planted: [
      [
        'changed number',
        'After rotating, both the old and the new secret sign each delivery for 48 hours.',
      ],
    ],
  },
  {
    section: 'v2/en/cli#exit-codes',
    statement: 'The CLI exits with code 4 when it is still rate-limited after all retries.',
    planted: [
      [
        'changed number',
        'The CLI exits with code 5 when it is still rate-limited after all retries.',
      ],
      ['swapped thing', 'Exit code 3 means that there was no connection.'],
    ],
  },
  {
    section: 'v2/en/cli#commands',
    statement:
      'Add `--json` to any command for machine-readable output, and `--live` to use your live key.',
    planted: [
      ['invented flag', 'Add `--output=json` to any command for machine-readable output.'],
      ['invented flag', 'Add `--dry-run` to see what a command would do.'],
      ['invented flag', 'Run `parcelwren shipments list --verbose` to list shipments.'],
    ],
  },
  {
    section: 'v2/en/cli#sign-in',
    statement: 'On a server, set `PARCELWREN_API_KEY` rather than running `parcelwren login`.',
    planted: [
      [
        'renamed name',
        'On a server, set `PARCELWREN_TOKEN` rather than running `parcelwren login`.',
      ],
    ],
  },
  {
    section: 'v2/en/errors#error-codes',
    statement:
      'A `410` with the code `cursor_expired` means that your cursor is more than an hour old.',
    planted: [
      [
        'changed number',
        'A `410` with the code `cursor_expired` means that your cursor is more than two hours old.',
      ],
      ['renamed name', 'A `410` with the code `cursor_invalid` means that your cursor is too old.'],
      ['swapped thing', 'Retry a request that failed with `503 rate_limited`.'],
    ],
  },
  {
    section: 'v2/en/errors#error-codes',
    statement:
      'If the body or file exceeds its limit, the API answers `413 payload_too_large`, and retrying does not help.',
    planted: [
      [
        'changed number',
        'If the body or file exceeds its limit, the API answers `414 payload_too_large`.',
      ],
    ],
  },
  {
    section: 'v2/en/errors#error-body',
    statement:
      'Your code should check `code`, because it is stable, and not `message`, which can change.',
    planted: [['renamed name', 'Your code should check `error_type`, because it is stable.']],
  },
  {
    section: 'v2/en/idempotency#send-an-idempotency-key',
    statement: 'Send an `Idempotency-Key` header of up to 64 characters with any `POST` request.',
    planted: [
      [
        'changed number',
        'Send an `Idempotency-Key` header of up to 255 characters with any `POST` request.',
      ],
      ['renamed name', 'Send an `X-Idempotency-Token` header with any `POST` request.'],
      ['negation', '`GET`, `PUT`, `PATCH` and `DELETE` are not idempotent.'],
    ],
  },
  {
    section: 'v2/en/idempotency#how-long-keys-are-kept',
    statement:
      'Idempotency keys are stored for 24 hours; repeats in that window return the original response.',
    planted: [
      [
        'wrong unit',
        'Idempotency keys are stored for 24 days; repeats in that window return the original response.',
      ],
      [
        'changed number',
        'Idempotency keys are stored for 12 hours; repeats in that window return the original response.',
      ],
    ],
  },
  {
    section: 'v2/en/resources/labels#formats-and-sizes',
    statement: 'Labels are available as PDF, PNG or ZPL, and PDF in A6 is what you get by default.',
    planted: [
      ['swapped default', 'PDF labels have the size A4 by default.'],
      ['swapped thing', 'Labels are available as PDF, JPEG or ZPL.'],
      ['changed number', 'PNG labels have a resolution of 600 dpi.'],
    ],
  },
  {
    section: 'v2/en/resources/labels#download-a-label',
    statement:
      "The label's `url` expires after an hour, but you can request a fresh link at no cost for 90 days.",
    planted: [
      [
        'changed number',
        "The label's `url` expires after 15 minutes, but you can request a fresh link for 90 days.",
      ],
      ['negation', 'Store `url` in your database; the link never expires.'],
    ],
  },
  {
    section: 'v2/en/resources/labels#void-a-label',
    statement:
      'Voiding has to happen within four weeks of the purchase and before the carrier scans the parcel for the first time.',
    planted: [
      [
        'changed number',
        'Voiding has to happen within 14 days of the purchase and before the first scan.',
      ],
      ['opposite', 'A label can be voided within 28 days of purchase and after the first scan.'],
      [
        'changed number',
        'The refund comes to your balance after the carrier has confirmed it, which takes up to 30 days.',
      ],
    ],
  },
  {
    section: 'v2/en/resources/labels#reprint-in-another-format',
    statement:
      'Converting a label to another format is free and does not change its tracking number.',
    planted: [
      ['swapped thing', 'Hare Express labels cannot be converted to `zpl`.'],
      ['negation', 'Oxcart Freight labels can be converted to `zpl`.'],
    ],
  },
  {
    section: 'v2/en/admin/self-hosting#requirements',
    statement: 'Edge needs at least 2 CPU cores, 4 GB of RAM and PostgreSQL 14 or newer.',
    planted: [
      ['wrong unit', 'Edge needs at least 2 CPU cores and 4 TB of memory.'],
      ['changed number', 'Edge needs PostgreSQL 12 or newer.'],
      ['swapped thing', 'Edge needs MySQL 14 or later.'],
    ],
  },
  {
    section: 'v2/en/admin/self-hosting#values',
    statement: 'Prometheus metrics are exposed on port 9090 unless you set `metrics.port`.',
    planted: [
      [
        'changed number',
        'Prometheus metrics are exposed on port 8080 unless you set `metrics.port`.',
      ],
      [
        'renamed name',
        'Prometheus metrics are exposed on port 9090 unless you set `metrics.listenPort`.',
      ],
      ['swapped default', '`replicaCount` is 24 by default.'],
    ],
  },
  {
    section: 'v2/en/admin/self-hosting#what-works-offline',
    statement: 'While Edge is offline, it queues up to 10,000 requests for a day.',
    planted: [
      ['changed number', 'While Edge is offline, it queues up to 100,000 requests for a day.'],
      [
        'swapped thing',
        'When Edge is offline, buying labels from a number pool fails with `503 unavailable`.',
      ],
    ],
  },
  {
    section: 'v2/en/admin/self-hosting#upgrade',
    statement:
      'Back up the database before you upgrade, and move only one minor version at a time.',
    planted: [['opposite', 'Take a backup last, and upgrade one minor version at a time.']],
  },
  {
    section: 'v2/en/admin/self-hosting#health-checks',
    statement: '`GET /readyz` returns `200` as long as the database can be reached.',
    planted: [
      ['renamed name', '`GET /ready` returns `200` as long as the database can be reached.'],
    ],
  },
  {
    section: 'v2/en/authentication#rotate-a-key',
    statement:
      'The previous key keeps working for 24 hours unless you choose another grace period of up to a week.',
    planted: [
      ['swapped default', 'The grace period is 168 hours by default.'],
      ['renamed name', 'Set `overlap_hours` to change the grace period of the old key.'],
      ['negation', 'A key can rotate itself.'],
    ],
  },
  {
    section: 'v2/en/authentication#send-the-key',
    statement:
      'Pass the API key in the `Authorization` header; a key in the query string is ignored and leads to `401`.',
    planted: [
      ['opposite', 'A key in the query string or in the body is accepted.'],
      ['renamed name', 'Pass the API key in the `X-Api-Key` header.'],
    ],
  },
  {
    section: 'v2/en/authentication#kinds-of-key',
    statement: 'Each account can have as many as 10 active keys in each mode.',
    planted: [
      ['changed number', 'Each account can have as many as 25 active keys in each mode.'],
      ['swapped thing', 'Keys that start with `pwk_test_` buy real labels.'],
    ],
  },
  {
    section: 'v2/en/pagination#parameters',
    statement: 'The page size is 25 by default and can be raised to 100 with `limit`.',
    planted: [
      ['swapped default', 'The page size is 100 by default.'],
      ['renamed name', 'The page size is 25 by default and can be raised to 100 with `page_size`.'],
      ['opposite', 'A `limit` above 100 is silently lowered to 100.'],
    ],
  },
  {
    section: 'v2/en/pagination#cursors',
    statement:
      'Cursors stop working after 60 minutes and must be used with the filters of the original request.',
    planted: [
      [
        'wrong unit',
        'Cursors stop working after 60 days and must be used with the filters of the original request.',
      ],
    ],
  },
  {
    section: 'v2/en/making-requests#request-and-response-format',
    statement: 'Request bodies are limited to 1 MB and have to be JSON in UTF-8.',
    planted: [
      ['wrong unit', 'Request bodies are limited to 1 GB and have to be JSON in UTF-8.'],
      ['opposite', 'Unknown fields in a request are ignored.'],
    ],
  },
  {
    section: 'v2/en/making-requests#metadata',
    statement:
      'A `metadata` object takes up to 20 keys, each with a string value of at most 500 characters.',
    planted: [
      ['changed number', 'A `metadata` object takes up to 50 keys.'],
      ['changed number', 'A key of `metadata` has at most 500 characters and a value at most 40.'],
    ],
  },
  {
    section: 'v2/en/resources/shipments#lifecycle',
    statement: 'Drafts without a label are deleted after 90 days.',
    planted: [['changed number', 'Drafts without a label are deleted after 28 days.']],
  },
  {
    section: 'v2/en/resources/shipments#change-a-shipment',
    statement: 'After the label has been bought, you can only edit `reference` and `metadata`.',
    planted: [
      [
        'renamed name',
        'After the label has been bought, you can only edit `notes` and `metadata`.',
      ],
    ],
  },
  {
    section: 'v2/en/resources/tracking#how-fresh-tracking-is',
    statement:
      'Bluejay Post is polled every 15 minutes, whereas Hare Express pushes its scans within a minute.',
    planted: [
      ['swapped thing', 'Hare Express is asked every 15 minutes.'],
      ['changed number', 'Bluejay Post is polled every 5 minutes.'],
    ],
  },
  {
    section: 'v2/en/resources/tracking#track-a-parcel-that-was-bought-elsewhere',
    statement: 'Tracking a parcel that you bought elsewhere costs 0.02 EUR per tracker.',
    planted: [
      ['changed number', 'Tracking a parcel that you bought elsewhere costs 0.20 EUR per tracker.'],
      ['swapped thing', 'Tracking a parcel that you bought elsewhere costs 0.02 USD per tracker.'],
    ],
  },
  {
    section: 'v2/en/resources/rates#carriers',
    statement: 'The heaviest parcel that Hare Express takes weighs 31.5 kg (31,500 g).',
    planted: [
      ['swapped thing', 'Bluejay Post takes parcels of up to 31,500 g.'],
      ['changed number', 'The heaviest parcel that Hare Express takes weighs 35,000 g.'],
    ],
  },
  {
    section: 'v2/en/testing#simulated-tracking',
    statement:
      'A sandbox label advances by one tracking state per minute and triggers the usual webhooks.',
    planted: [
      [
        'wrong unit',
        'A sandbox label advances by one tracking state per hour, that is every 60 minutes.',
      ],
    ],
  },
  {
    section: 'v2/en/testing#force-an-outcome',
    statement: 'To simulate an undeliverable address, use the postal code `00000`.',
    planted: [
      ['swapped thing', 'To simulate an undeliverable address, use the postal code `66666`.'],
      ['renamed name', 'Set `reference` to `simulate_timeout` to get a slow reply.'],
    ],
  },
  {
    section: 'v2/en/admin/security#audit-log',
    statement: 'Audit log entries are retained for 400 days and can be exported as JSON Lines.',
    planted: [
      ['changed number', 'Audit log entries are retained for 365 days.'],
      [
        'invented claim',
        'Audit log entries are signed by a hardware security module and replicated across three regions.',
      ],
    ],
  },
  {
    section: 'v2/en/admin/security#personal-data',
    statement:
      'Phone numbers and email addresses are redacted 180 days after the delivery, but `metadata` never is.',
    planted: [
      [
        'changed number',
        'Phone numbers and email addresses are redacted 30 days after the delivery.',
      ],
      ['negation', 'The redaction of a shipment can be undone.'],
    ],
  },
  {
    section: 'v2/en/admin/security#encryption',
    statement: 'Data at rest is encrypted with AES-256, and connections need TLS 1.2 or newer.',
    planted: [
      ['changed number', 'Connections need TLS 1.3 or newer.'],
      ['swapped thing', 'Data at rest is encrypted with AES-128.'],
    ],
  },
  {
    section: 'v2/en/guides/batch-import#batch-limits',
    statement:
      'Up to four batches run at once per account, with a maximum of 5,000 rows and 50 MB each.',
    planted: [
      ['changed number', 'A batch can have a maximum of 10,000 rows.'],
      ['changed number', 'Rows are processed at about 200 rows per second.'],
    ],
  },
  {
    section: 'v2/en/guides/file-uploads#purposes-and-limits',
    statement: 'A logo must be a PNG or SVG of no more than 1 MB.',
    planted: [
      ['changed number', 'A logo must be a PNG or SVG of no more than 10 MB.'],
      ['swapped thing', 'The file type is read from the name, not from the content.'],
    ],
  },
  {
    section: 'v2/en/sdk/typescript#cancel-a-call-and-set-a-time-out',
    statement: 'To cancel a call, pass an `AbortSignal` as `signal` in the last argument.',
    planted: [
      [
        'renamed name',
        'To cancel a call, pass an `AbortSignal` as `cancelToken` in the last argument.',
      ],
      ['negation', 'A call that was cancelled rejects with an `AbortError` and is retried.'],
    ],
  },
  {
    section: 'v2/en/sdk/typescript#',
    statement: 'The TypeScript SDK requires Node.js 20 or newer and has no dependencies.',
    planted: [
      ['changed number', 'The TypeScript SDK requires Node.js 18 or newer.'],
      [
        'invented claim',
        'The TypeScript SDK ships a React hook library and a caching layer for browsers.',
      ],
    ],
  },
  {
    section: 'v2/de/authentication#schlüssel-wechseln',
    statement: 'Der alte Schlüssel bleibt standardmäßig noch 24 Stunden gültig.',
    planted: [
      ['changed number', 'Der alte Schlüssel bleibt standardmäßig noch 48 Stunden gültig.'],
      ['renamed name', 'Für den Wechsel brauchen Sie die Berechtigung `keys:rotate`.'],
    ],
  },
  {
    section: 'v2/de/errors#ratenbegrenzung',
    statement: 'Pro Minute sind 600 lesende und 120 schreibende Anfragen je API-Schlüssel erlaubt.',
    planted: [
      [
        'changed number',
        'Pro Minute sind 900 lesende und 120 schreibende Anfragen je API-Schlüssel erlaubt.',
      ],
      ['wrong unit', 'Gezählt wird pro API-Schlüssel über die letzten 60 Minuten.'],
    ],
  },
  {
    section: 'v2/de/webhooks#schnell-antworten',
    statement: 'Ihr Endpunkt muss binnen 10 Sekunden mit einem Status `2xx` antworten.',
    planted: [
      ['changed number', 'Ihr Endpunkt muss binnen 15 Sekunden mit einem Status `2xx` antworten.'],
      ['negation', 'Weiterleitungen werden verfolgt.'],
    ],
  },
  {
    section: 'v2/de/shipping#sendung-stornieren',
    statement:
      'Stornieren können Sie eine Sendung nur vor dem ersten Scan und höchstens 28 Tage nach dem Kauf.',
    planted: [
      ['changed number', 'Stornieren können Sie eine Sendung höchstens 14 Tage nach dem Kauf.'],
      ['opposite', 'Stornieren können Sie eine Sendung nur nach dem ersten Scan.'],
    ],
  },
  {
    section: 'v2/de/shipping#rückerstattung',
    statement: 'Die Gutschrift kann bis zu zwei Wochen dauern.',
    planted: [['changed number', 'Die Gutschrift kann bis zu vier Wochen dauern.']],
  },
  {
    section: 'v2/de/webhooks#wiederholungen',
    statement: 'Nach fünf Tagen mit lauter Fehlschlägen wird der Endpunkt abgeschaltet.',
    planted: [
      ['changed number', 'Nach 3 Tagen mit lauter Fehlschlägen wird der Endpunkt abgeschaltet.'],
    ],
  },
];
