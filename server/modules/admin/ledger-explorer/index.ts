/**
 * The ledger pages of the admin console. Depends on every money module. The admin search uses it to list the accounts
 * of a user.
 */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { presentAccounts } from './users.ts';

export const featureModule = { ...manifest, register };
