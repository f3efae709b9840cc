/** Every module of the server, and what is derived from their manifests. The list itself is generated from the folders. */
import { manifest as kernel } from '../kernel/manifest.ts';
import { eventsOf, type Holdings, inOrder, type Room, routesOf } from '../kernel/room.ts';
import { MODULES } from './modules.ts';

/** In the order of their dependencies: each after those it depends on. */
export const ROOMS: readonly Room[] = inOrder(MODULES);

/** Every route and every socket event, for what must be complete: the API's document, the server's binding, the hostile matrix. */
export const ROUTES = routesOf(ROOMS);
export const EVENTS = eventsOf(ROOMS);

/** What lies in the database, and what the running product may do with it. */
export const HOLDINGS: readonly Holdings[] = [kernel, ...ROOMS];
