import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { guardDeletion } from './guards.ts';
export { changeUpload as changeOwnMedia } from './library/service.ts';
export { listPositions } from './library/store.ts';
export { registerUses, type Use } from './library/uses.ts';
export { lockOwnMedia, markMediaUsed } from './message-media.ts';
export {
  type Crop,
  coverThatFits,
  coverUrl,
  discardPortrait,
  makePortrait,
  type PictureForm,
  type Portrait,
  plainPicture,
  portraitKey,
  presentCover,
  readPictureForm,
  readPortrait,
} from './portraits.ts';
export { presentPostMedia } from './present.ts';
export { saysWhatItIs } from './refusals.ts';
export { claimMedia, groupMedia, importPicture, readOwnMedia, releaseMedia, showMedia } from './service.ts';
export {
  DESK_TABLE,
  findOwnUpload as findOwnMedia,
  type GrantedFile,
  grantFiles,
  grantMedia,
} from './serving/access.ts';
export { sendFile as sendStored } from './serving/send.ts';
export { forgetSights, type LinkPicture, linkPictureOf, sendLinkPicture, sizeOfLinkPicture } from './serving/serve.ts';
export type { MediaFacts, MediaKind } from './store.ts';
/** @public Used for legal erasure and for account deletion. */
export { eraseMedia } from './upkeep/deleted.ts';
export { cleanFileName, takeInFile } from './uploads.ts';
export { findSameMedia, withholdMedia } from './withheld.ts';

export const room = { ...manifest, register };
