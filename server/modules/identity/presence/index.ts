/** Presence: which users are online, on any process. Profiles show it, and chat decides who may see it. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export {
  addOnlineDevice,
  emitToWatchers,
  getPresence,
  hasVisiblePage,
  listLocalUserIds,
  listOnlineIds,
  type Presence,
  type PresenceVisibility,
  recheckWatching,
  registerVisibility,
  setAllBusy,
  setBusy,
} from './service.ts';

export const featureModule = { ...manifest, register };
