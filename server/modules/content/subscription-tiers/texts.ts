export const subscriptionTiers = 'Subscription tiers';
export const tierLimit = 'You can have up to {maxCount} tiers.';
export const tierInUse = 'This tier has subscribers, so it can’t change between free and paid. Create another tier.';
export const trialTooLong = 'At most {maxDays} days';
export const tiersChanged = 'Your tiers have changed in the meantime. Reload the page.';
export const exportDescription = 'Subscription tiers that you offered, with their prices.';
export const subscriptionOffers = 'Subscription offers';
export const offersExportDescription =
  'Subscription offers that you created, with their codes and how often they were used.';
export const offerLimit = 'You can have up to {maxCount} running offers. Close one first.';
export const offerCodeTaken = 'You’ve already used this code for an offer. Choose a different one.';
export const offerNeedsPaidTier = 'An offer needs a paid tier.';
export const offerBelowLowestPrice = 'Choose a smaller discount. Every price would fall below {min}.';
export const offerEndRange = 'Choose a date within the next {maxDays} days.';
export const codeRefused = 'This code doesn’t work. It may be mistyped, expired, used up or not available to you.';
export const tooManyCodes = 'You’ve tried too many codes. Wait a few minutes and try again.';
