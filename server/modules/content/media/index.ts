import { manifest } from './manifest.ts';
import { register } from './routes.ts';

export { registerDeletionGuard } from './deletion-guards.ts';
export {
  findOwnUpload as findOwnMedia,
  type GrantedFile,
  REVIEW_ASSET_TYPE,
  registerFileGrant,
  registerMediaGrant,
} from './delivery/access.ts';
export { sendFile as sendStoredFile } from './delivery/send.ts';
export {
  findLinkPictureKey,
  findLinkPictureSize,
  invalidateMediaAccess,
  type LinkPicture,
  sendLinkPicture,
} from './delivery/serve.ts';
export { updateUpload as updateOwnMedia } from './library/service.ts';
export { listPositions } from './library/store.ts';
export { type MediaUse, registerMediaUseReader } from './library/uses.ts';
/** @public Used for legal erasure and for account deletion. */
export { eraseMedia } from './maintenance/deleted.ts';
export { lockOwnMedia, markMediaUsed } from './message-media.ts';
export { presentPostMedia } from './present.ts';
export {
  type Crop,
  coverUrl,
  createProfilePicture,
  discardProfilePicture,
  findFittingCover,
  getProfilePictureKey,
  type PictureForm,
  presentCover,
  readPictureForm,
  readProfilePicture,
  type StoredProfilePicture,
  toPlainJpeg,
} from './profile-pictures.ts';
export {
  claimMedia,
  importPicture,
  listOwnMedia,
  releaseMedia,
  setMediaVisibility,
  updateMediaGrouping,
} from './service.ts';
export type { MediaKind, MediaMetadata } from './store.ts';
export { listMediaCopies, setMediaTakenDown } from './takedown.ts';
export { addMediaFile, cleanFileName } from './uploads.ts';

export const featureModule = { ...manifest, register };
