/** What fans allow themselves. Called by none: whoever charges asks the ledger. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };
