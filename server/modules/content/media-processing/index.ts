/** Detects the types of uploaded files and converts pictures, video and audio. Knows neither users nor tables. */
import { manifest } from './manifest.ts';

export { type Crop, cropSquare } from './crop.ts';
export { MEDIA_MESSAGES, MediaError, ProcessingTimeoutError } from './error-messages.ts';
export {
  createPreview,
  cropPicture,
  decodePicture,
  type EncodedPicture,
  encodeAvifs,
  encodeJpeg,
  encodeSquares,
  encodeWebps,
  filterSrcsetWidths,
  inspectPicture,
  listPictureWidths,
  toThumbhash,
} from './pictures.ts';
export { type MediaKind, sniffMediaType } from './sniff-type.ts';
export { describeFileType } from './unsupported-types.ts';
export { findStreamDemuxer, isAnimatedType, makeLoop } from './video/animated.ts';
export { isDamaged, spotCheck } from './video/damage.ts';
export { type Excerpt, extractExcerpt } from './video/excerpt.ts';
export { hasVideo, inspectSource, type ProbedSource, type VideoSource } from './video/inspect.ts';
export {
  canStayRemuxed,
  type EncodeResult,
  encode,
  encodeDecodable,
  getFirstRenditionSpec,
  isTooDamaged,
  listRenditionSpecs,
  type RenditionSpec,
} from './video/ladder.ts';
export {
  canUseEarlyRemux,
  createPlainFile,
  type EarlyRemux,
  isDiskFull,
  type PackagedRendition,
  remuxSource,
  startEarlyRemux,
} from './video/package.ts';
export { formatMasterPlaylist, type Rendition } from './video/playlist.ts';
export { drawCover, extractEmbeddedCover, normalizeAudio } from './video/sound.ts';
export {
  createGifs,
  createSprite,
  extractFrame,
  getPosterSecond,
  type Sprite,
  type VideoFile,
} from './video/stills.ts';
export { extractSubtitles } from './video/subtitles.ts';
export { cutTeaser, type TeaserSource } from './video/teaser.ts';
export { findTools, ToolError, type ToolWorkspace } from './video/tools.ts';
export { sweepWorkFolders, withWorkFolder } from './video/work-folder.ts';

export const featureModule = manifest;
