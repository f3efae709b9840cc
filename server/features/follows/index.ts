import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { endFollow } from './service.ts';
export { findCreator, followsSince, isWide, markSettled, WIDE_FOLLOWERS, widen } from './store.ts';

export const room = { ...manifest, register };
