import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { removeFollow } from './service.ts';
export {
  enableFanOutOnRead,
  FAN_OUT_MAX_FOLLOWERS,
  findFollowedAt,
  findFollowedCreator,
  isFanOutOnRead,
  markTimelineFilled,
} from './store.ts';

export const featureModule = { ...manifest, register };
