/** The affiliate programme: codes, who came by them, and what was taken of what they earned. What they earn is in sales. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { codeOf } from './codes.ts';
export { affiliateSettings, changeAffiliateSettings } from './figures.ts';

export const room = { ...manifest, register };
