import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { type Leaver, type Moment, registerClosing } from './steps.ts';

export const room = { ...manifest, register };
