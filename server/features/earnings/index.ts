/** Earnings: what a creator earned. Above sales and the wallet, whose words for a sale it uses. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export const room = { ...manifest, register };
