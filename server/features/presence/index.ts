/** Presence: which users are online, on any process. Profiles show it, and chat decides who may see it. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export {
  comeOnline,
  hasPageInFront,
  localIds,
  onlineIds,
  type Presence,
  presenceOf,
  registerVisibility,
  reviewWatching,
  setAllBusy,
  setBusy,
  toWatchers,
  type Visibility,
} from './service.ts';

export const room = { ...manifest, register };
