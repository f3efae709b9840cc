import type { SubscriptionEnd } from '@stagedoor/contract/content/subscriptions.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** Anything that the fan's page or the creator's figures show has changed. */
    'subscription.changed': { subscriptionId: string; fanId: string; creatorId: string };
    'subscription.started': {
      subscriptionId: string;
      fanId: string;
      creatorId: string;
      tierName: string;
      isTrial: boolean;
    };
    'subscription.renewed': { subscriptionId: string; fanId: string; creatorId: string; priceCents: number };
    'subscription.renewalFailed': {
      subscriptionId: string;
      fanId: string;
      creatorId: string;
      priceCents: number;
      nextAttemptAt: string | null;
    };
    'subscription.ended': { subscriptionId: string; fanId: string; creatorId: string; reason: SubscriptionEnd };
  }
}
