export const subscriptionTiers = 'Subscription tiers';
export const tierLimit = 'You can have up to {maxCount} tiers.';
export const tierInUse = 'This tier has subscribers, so it can’t change between free and paid. Create another tier.';
export const trialTooLong = 'At most {maxDays} days';
export const tiersChanged = 'Your tiers have changed in the meantime. Reload the page.';
export const exportDescription = 'Subscription tiers that you offered, with their prices.';
