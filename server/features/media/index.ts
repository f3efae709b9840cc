/** Media: uploads, what is made of them, and who may see it. Above accounts; posts, profiles and chat build on it. */
export { grantMedia } from './access.ts';
export { guardDeletion } from './guards.ts';
export {
  type Crop,
  discardPortrait,
  makePortrait,
  type PictureForm,
  type Portrait,
  presentCover,
  readPictureForm,
} from './portraits.ts';
export { presentPostMedia } from './present.ts';
export { addAvif } from './process.ts';
export { register } from './routes.ts';
export { sendPreviewFile } from './serve.ts';
export { claimMedia, importPicture, readOwnMedia, showMedia } from './service.ts';
export type { MediaFacts, MediaKind } from './store.ts';
