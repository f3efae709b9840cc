import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { getPlatformFees, updatePlatformFees } from './fees.ts';
export { getPlatformTerms, type PlatformTerms } from './platform-terms.ts';
export { updatePriceLimits } from './price-limits.ts';

export const featureModule = { ...manifest, register };
