/** Presence: who is there, on any process. Profiles show it, chat says who may see whom. */
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
