/** Presence: who is there, on any process. Profiles show it, chat says who may see whom. */
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

/** @public What the calls room says of who is in a call. */
export {
  localIds,
  onlineIds,
  type Presence,
  presenceOf,
  registerVisibility,
  reviewWatching,
  setBusy,
  type Visibility,
} from './service.ts';

export const room = { ...manifest, register };
