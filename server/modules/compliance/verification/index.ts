/** Other modules call {@link findIneligibilityReason} before a creator sells or is paid. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { decideSubmission as decideVerification, viewVerification } from './admin.ts';
export { AGREEMENTS } from './agreement.ts';
export { findIneligibilityReason, getVerificationVerdict } from './eligibility.ts';
export { countSubmitted } from './store.ts';

export const featureModule = { ...manifest, register };
