import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { countMissingDetails, saveCompanyDetails } from './company-details.ts';

export const featureModule = { ...manifest, register };
