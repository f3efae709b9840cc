declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /** The tiers that a profile shows have changed, or their order. */
    'subscriptionTiers.changed': { creatorId: string };
    /** Subscribers pay another price than new ones from now on. */
    'subscriptionTier.repriced': { creatorId: string; tierId: string };
    /** Settings of operators, which public pages print. */
    'subscriptions.settingsChanged': Record<string, never>;
    /** `higherTierIds` are those above it, lowest first. */
    'subscriptionTier.deleted': { creatorId: string; tierId: string; higherTierIds: string[] };
  }
}

export {};
