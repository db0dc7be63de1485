import { ApiError, Parcelwren } from '@parcelwren/sdk';
import type { Address, Label, Rate, Shipment } from '@parcelwren/sdk';

/** An order in the shop's own format, as in data/parcels.json. */
export interface Order {
  id: string;
  to: Address;
  weightG: number;
  /** Length, width, height in millimetres. */
  sizeMm: [number, number, number];
  /** Days that we promised the customer. */
  promisedDays: number;
}

const warehouse: Address = {
  name: 'Wren Books',
  line1: '4 Mill Lane',
  city: 'Galway',
  postalCode: 'H91 X2Y3',
  country: 'IE',
};

const client = new Parcelwren({ maxRetries: 5 });

export async function createShipment(order: Order): Promise<Shipment> {
  const [lengthMm, widthMm, heightMm] = order.sizeMm;
  return client.shipments.create(
    {
      from: warehouse,
      to: order.to,
      parcels: [{ weightG: order.weightG, lengthMm, widthMm, heightMm }],
      reference: order.id,
    },
    { idempotencyKey: `order-${order.id}` },
  );
}

/** Returns the cheapest rate that keeps the promise, or the fastest rate if none does. */
export function chooseRate(rates: readonly Rate[], promisedDays: number): Rate | undefined {
  const byPrice = [...rates].sort((a, b) => a.amount.value - b.amount.value);
  const bySpeed = [...rates].sort((a, b) => a.estimatedDays - b.estimatedDays);
  return byPrice.find((rate) => rate.estimatedDays <= promisedDays) ?? bySpeed[0];
}

export async function buyLabel(order: Order): Promise<Label> {
  const shipment = await createShipment(order);
  // A rate expires after 30 minutes. If the queue took longer than that, quote once more.
  for (let attempt = 1; ; attempt += 1) {
    const rates = await client.rates.quote({ shipmentId: shipment.id });
    const rate = chooseRate(rates, order.promisedDays);
    if (!rate) throw new Error(`No rate for order ${order.id}`);
    try {
      return await client.labels.buy(
        { shipmentId: shipment.id, rateId: rate.id, format: 'zpl', size: '4x6' },
        { idempotencyKey: `order-${order.id}-label-${attempt}` },
      );
    } catch (error) {
      const expired = error instanceof ApiError && error.code === 'rate_expired';
      if (!expired || attempt === 2) throw error;
    }
  }
}
