import './events.ts';
import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { framersAt } from './embeds.ts';
export { verifyName } from './names.ts';
export { viewProfile } from './service.ts';
export {
  givePictureBack,
  giveWordsBack,
  partsShown,
  readShown,
  type ShownProfile,
  shownProfile,
  takeFromProfile,
} from './shown.ts';
export { countProfileView } from './views.ts';

export const room = { ...manifest, register };
