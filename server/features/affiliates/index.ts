/** The affiliate program: codes, referrals and claimed earnings. The sales module calculates the commission. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { codeOf } from './codes.ts';
export { affiliateSettings, changeAffiliateSettings } from './figures.ts';

export const room = { ...manifest, register };
