/** The operator's desk of the ledger. Above every room of money; what looks people up at the desk asks it for their accounts. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { presentAccounts } from './people.ts';

export const room = { ...manifest, register };
