/** The SDK types that this project uses. With them, the editor needs no installed packages. */
declare module '@parcelwren/sdk' {
  export interface Address {
    name: string;
    line1: string;
    line2?: string;
    city: string;
    state?: string;
    postalCode?: string;
    country: string;
    phone?: string;
    email?: string;
  }

  export interface Parcel {
    weightG: number;
    lengthMm: number;
    widthMm: number;
    heightMm: number;
  }

  export interface Shipment {
    id: string;
    status: 'draft' | 'purchased' | 'in_transit' | 'delivered' | 'returned' | 'voided';
    reference: string | null;
  }

  export interface Rate {
    id: string;
    carrier: 'hare' | 'bluejay' | 'oxcart';
    service: string;
    /** Minor units, such as cents. */
    amount: { value: number; currency: string };
    estimatedDays: number;
    expiresAt: string;
  }

  export interface Label {
    id: string;
    trackingNumber: string;
    /** Signed link, valid for 60 minutes. */
    url: string;
  }

  export interface CallOptions {
    idempotencyKey?: string;
    signal?: AbortSignal;
  }

  export class ParcelwrenError extends Error {}

  export class ApiError extends ParcelwrenError {
    readonly status: number;
    readonly code: string;
    readonly param: string | null;
    readonly requestId: string;
  }

  export class Parcelwren {
    constructor(options?: {
      apiKey?: string;
      baseUrl?: string;
      timeoutMs?: number;
      maxRetries?: number;
    });

    readonly shipments: {
      create(
        params: { from: Address; to: Address; parcels: Parcel[]; reference?: string },
        options?: CallOptions,
      ): Promise<Shipment>;
      void(id: string, options?: CallOptions): Promise<Shipment>;
    };

    readonly rates: {
      quote(params: { shipmentId: string }, options?: CallOptions): Promise<Rate[]>;
    };

    readonly labels: {
      buy(
        params: {
          shipmentId: string;
          rateId: string;
          format?: 'pdf' | 'png' | 'zpl';
          size?: 'a6' | 'a4' | '4x6';
        },
        options?: CallOptions,
      ): Promise<Label>;
    };
  }
}
