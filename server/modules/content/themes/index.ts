import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type ActiveTheme, findPublishedAppearance, getActiveTheme } from './present.ts';

export const featureModule = { ...manifest, register };
