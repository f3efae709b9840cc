import type { PaymentSource, SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';

type SubscriptionEvent = { subscriptionId: string; fanId: string; creatorId: string };

export function toSubscriptionEvent(row: { id: string; fan_id: string; creator_id: string }): SubscriptionEvent {
  return { subscriptionId: row.id, fanId: row.fan_id, creatorId: row.creator_id };
}

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** Anything that the fan's page or the creator's figures show has changed. */
    'subscription.changed': SubscriptionEvent;
    'subscription.started': SubscriptionEvent & { tierName: string; isTrial: boolean };
    'subscription.renewed': SubscriptionEvent & { priceCents: number };
    /** `priceCents` includes the fee of a card. The default of `paymentSource` is the balance. */
    'subscription.renewalFailed': SubscriptionEvent & {
      priceCents: number;
      nextAttemptAt: string | null;
      paymentSource?: PaymentSource;
    };
    /** A period that was due while renewals were stopped is free. The next charge is at `until`. */
    'subscription.waived': SubscriptionEvent & { until: string };
    /** A fan gave `fanId` a subscription, which also started. */
    'subscription.gifted': SubscriptionEvent & { giverId: string; tierName: string; paidUntil: string };
    /** `refundedCents` is what the fan got back because of the end. */
    'subscription.ended': SubscriptionEvent & { reason: SubscriptionEnd; refundedCents: number };
    /** The tier was deleted. Access lasts until `until`. */
    'subscription.tierDeleted': SubscriptionEvent & { tierName: string; until: string };
    /** Renewals cost `newPriceCents` from `from` on: a higher price only if the fan accepts it. */
    'subscription.repriced': SubscriptionEvent & { priceCents: number; newPriceCents: number; from: string };
    /**
     * A charge is due soon: a renewal, the first charge after a trial or after a discount, or a charge at a higher price that
     * the fan has not accepted yet. `priceCents` includes the fee of a card.
     */
    'subscription.reminded': SubscriptionEvent & {
      reminder: 'renewal' | 'trial' | 'fullPrice' | 'newPrice';
      priceCents: number;
      at: string;
      paymentSource?: PaymentSource;
    };
  }
}
