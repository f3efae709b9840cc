/** Subscriptions of fans to creators: charges, renewals and the access that they give. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { isSubscriber } from './access.ts';
export { toDiscountedSql } from './next-price.ts';
export { loadPeriodTierNames } from './periods.ts';
export { renewDueSubscriptions } from './renewals.ts';
export { subscriberSegmentSql } from './segments.ts';
export { markOpened } from './store.ts';
export { findWelcomeMessage } from './welcome.ts';

export const featureModule = { ...manifest, register };
