/** The feed of followed creators. Above posts and follows; nobody builds on it. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };
