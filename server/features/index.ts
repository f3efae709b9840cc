/** The list is generated from the folders. */
import { manifest as kernel } from '../kernel/manifest.ts';
import { eventsOf, type Holdings, inOrder, type Room, routesOf } from '../kernel/room.ts';
import { MODULES } from './modules.ts';

/** Each module comes after those it depends on. */
export const ROOMS: readonly Room[] = inOrder(MODULES);

export const ROUTES = routesOf(ROOMS);
export const EVENTS = eventsOf(ROOMS);

export const HOLDINGS: readonly Holdings[] = [kernel, ...ROOMS];
