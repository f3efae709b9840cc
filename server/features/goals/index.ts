/** Tip goals: what creators gather tips for. Above the wallet, whose tips go toward them. */
import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };
