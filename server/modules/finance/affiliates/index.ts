/** The affiliate program: codes, referrals and claimed earnings. The sales module calculates the commission. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { getOrCreateCode } from './codes.ts';
export { loadAffiliateSettings, saveAffiliateSettings } from './figures.ts';

export const featureModule = { ...manifest, register };
