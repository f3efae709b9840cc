/** The operator's desk of the ledger. Above every room of money, called by none. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };
