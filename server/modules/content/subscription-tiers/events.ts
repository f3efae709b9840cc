declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** The tiers that a profile shows have changed, or their order. */
    'subscriptionTiers.changed': { creatorId: string };
    /** Subscribers pay another price than new ones from now on. */
    'subscriptionTier.repriced': { creatorId: string; tierId: string };
    /** `higherTierIds` are those above it, lowest first. */
    'subscriptionTier.deleted': { creatorId: string; tierId: string; higherTierIds: string[] };
  }
}

export {};
