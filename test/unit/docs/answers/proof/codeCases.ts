/** Code blocks of replies over the sample docs: true ones, and the same ones with an invented name. */

export interface CodeCase {
  /** Code block of a reply that only uses what the docs have. */
  readonly code: string;
  /** The same with an invented name: the code, and the name. */
  readonly planted: readonly (readonly [code: string, name: string])[];
}

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

export const codeCases: readonly CodeCase[] = [
  {
    code: fence(
      'ts',
      `import { Parcelwren } from '@parcelwren/sdk';
import { readFile } from 'node:fs/promises';
const { Parcelwren: Wren, ...others } = require('@parcelwren/sdk');

const client = new Parcelwren({ maxRetries: 5 });
const orders = JSON.parse(await readFile('orders.json', 'utf8'));
for (const order of orders.filter((item) => item.open)) {
  const shipment = await client.shipments.create({ reference: order.number, metadata: { shelf: 'B4' } });
  console.log(shipment.id, saveOrder(order));
}`,
    ),
    planted: [
      [fence('ts', `const client = new Parcelwren({ retryLimit: 5 });`), 'retryLimit'],
      [fence('ts', `await client.shipments.cancelAll({ status: 'draft' });`), 'cancelAll'],
      [fence('ts', `import { ParcelwrenClient } from '@parcelwren/sdk';`), 'ParcelwrenClient'],
      [
        fence(
          'ts',
          `const label = await client.labels.buy({ shipmentId, rateId });\nlabel.refund();`,
        ),
        'refund',
      ],
    ],
  },
  {
    code: fence(
      'python',
      `import os
import parcelwren
from parcelwren import Client  # noqa
from flask import Flask, request

app = Flask(__name__)
client = parcelwren.Client(api_key=os.environ["PARCELWREN_API_KEY"], max_retries=0)

@app.route("/orders/<number>", methods=["POST"])
def ship(number):
    rates = client.rates.quote(shipment_id=request.json["shipment"])
    best = min(rates, key=lambda rate: rate.amount.value)
    return {"label": client.labels.buy(shipment_id=best.id, rate_id=best.id).url}`,
    ),
    planted: [
      [
        fence('python', `client.labels.purchase(shipment_id="shp_1", rate_id="rate_1")`),
        'purchase',
      ],
      [
        fence(
          'python',
          `client.labels.buy(shipment_id="shp_1", rate_id="rate_1", auto_refund=True)`,
        ),
        'auto_refund',
      ],
      [fence('python', `from parcelwren import AsyncParcelwren`), 'AsyncParcelwren'],
    ],
  },
  {
    code: fence(
      'bash',
      `export PARCELWREN_API_KEY=pwk_test_123
curl -sS -X POST https://api.parcelwren.example/v2/labels -H "Accept: application/json" --retry 3
parcelwren webhooks listen --forward-to localhost:3000/hooks
Webhooks forwarded to localhost:3000/hooks
supervisorctl restart hooks --quickly
npm install -g @parcelwren/cli && parcelwren batches import orders.csv --buy cheapest --wait`,
    ),
    planted: [
      [
        fence('bash', 'parcelwren webhooks listen --dry-run --forward-to localhost:3000'),
        '--dry-run',
      ],
      [fence('bash', 'export PARCELWREN_RETRY_COUNT=3'), 'PARCELWREN_RETRY_COUNT'],
      [fence('bash', 'parcelwren shipments list --format table'), '--format'],
    ],
  },
  {
    code: fence('yaml', 'base_url: https://edge.example/v2\ntimeout_ms: 10000\nmax_retries: 5'),
    planted: [
      [
        fence('yaml', 'base_url: https://edge.example/v2\ntimeout_ms: 10000\nretry_backoff: 2'),
        'retry_backoff',
      ],
    ],
  },
  {
    code: fence(
      'json',
      '{ "shipment_id": "shp_1", "rate_id": "rate_1", "metadata": { "order": "A1" } }',
    ),
    planted: [
      [
        fence('json', '{ "shipment_id": "shp_1", "rate_id": "rate_1", "insurance_level": "full" }'),
        'insurance_level',
      ],
    ],
  },
  {
    code: fence(
      'go',
      `label, err := client.Labels.Buy(ctx, params,
	parcelwren.WithIdempotencyKey("order-"+order.ID))
if err != nil {
	return fmt.Errorf("buy: %w", err)
}
fmt.Println(label.ID)`,
    ),
    planted: [
      [fence('go', 'client := parcelwren.New(parcelwren.WithRetryPolicy(3))'), 'WithRetryPolicy'],
    ],
  },
];
