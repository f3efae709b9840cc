import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { PICTURE_LIMITS, VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { CHAT_LIMITS, LOOP_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import * as texts from './texts.ts';

/** The message is shown to the uploader. */
export class MediaError extends Error {}

/** A failure that does not depend on the file, such as a killed program or lack of memory. It is retried. */
export class TransientError extends Error {}

/** A timeout happens to any file on a busy machine, so it is retried. */
export class ProcessingTimeoutError extends TransientError {}

export const MEDIA_MESSAGES = {
  empty: texts.fileIsEmpty,
  unknownType: texts.unreadableFileError,
  unknownPicture: texts.unreadableImageError,
  wantsPicture: texts.useAnImage,
  unsupportedCoding: texts.unsupportedImageCoding,
  tooManyPixels: formatText(texts.imagePixelLimit, { megapixels: PICTURE_LIMITS.maxPixels / 1_000_000 }),
  sideTooLong: formatText(texts.imageSideLimit, { pixels: PICTURE_LIMITS.maxSidePixels.toLocaleString('en-US') }),
  pictureTooLarge: formatText(texts.imageSizeLimit, { megabytes: PICTURE_LIMITS.maxBytes / 1024 / 1024 }),
  fanFileTooLarge: formatText(texts.fileSizeLimit, { megabytes: CHAT_LIMITS.fanUploadBytes / 1024 / 1024 }),
  loopTooLong: formatText(texts.animationLengthLimit, {
    seconds: LOOP_LIMITS.maxSeconds,
    frames: LOOP_LIMITS.maxFrames,
  }),
  loopTooLarge: texts.animationTooLarge,
  damaged: texts.imageDamaged,
  damagedVideo: texts.videoDamaged,
  damagedAudio: texts.audioDamaged,
  processingFailed: texts.photoProcessingFailed,
  streamProcessingFailed: texts.fileProcessingFailed,
  unsupportedCodec: texts.unplayableFormat,
  tooLong: formatText(texts.fileLengthLimit, { hours: VIDEO_LIMITS.maxSeconds / 3600 }),
  frameTooLarge: texts.videoResolutionTooHigh,
  timedOut: texts.processingTookTooLong,
  noTools: texts.videoProcessingUnavailable,
  storageFull: texts.uploadsTemporarilyUnavailable,
} as const;
