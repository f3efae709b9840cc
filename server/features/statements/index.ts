/** Statements to keep. Above the wallet, whose words for a movement they use; called by none. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };
