import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { verifyName } from './display-name-review.ts';
export { getFrameAncestors } from './embeds.ts';
export {
  listProfileParts,
  loadProfileContent,
  type ProfileContent,
  profileContent,
  restoreProfilePicture,
  restoreProfileText,
  takeDownProfileParts,
} from './profile-content.ts';
export { viewProfile } from './service.ts';
export { countProfileView } from './view-counts.ts';

export const featureModule = { ...manifest, register };
