import type { Purse, SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';

type SubscriptionEvent = { subscriptionId: string; fanId: string; creatorId: string };

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** Anything that the fan's page or the creator's figures show has changed. */
    'subscription.changed': SubscriptionEvent;
    'subscription.started': SubscriptionEvent & { tierName: string; isTrial: boolean };
    'subscription.renewed': SubscriptionEvent & { priceCents: number };
    /** `priceCents` is what the purse is charged: a card with the fee. Without a purse it is the balance. */
    'subscription.renewalFailed': SubscriptionEvent & {
      priceCents: number;
      nextAttemptAt: string | null;
      purse?: Purse;
    };
    /** The period that fell due while renewals were stopped is free. The next charge is at `until`. */
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
     * A charge is near: a renewal, the first one after a trial or at the full price after a discount, or one at a higher price
     * (`priceCents`) that the fan has not accepted yet. A card is charged with the fee.
     */
    'subscription.reminded': SubscriptionEvent & {
      reminder: 'renewal' | 'trial' | 'fullPrice' | 'newPrice';
      priceCents: number;
      at: string;
      purse?: Purse;
    };
  }
}
