import { PICTURE_LIMITS, VIDEO_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { CHAT_LIMITS, LOOP_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';

/** The message is shown to the uploader. */
export class MediaError extends Error {}

/** A failure that does not depend on the file, such as a killed program or lack of memory. It is retried. */
export class TransientError extends Error {}

/** A timeout happens to any file on a busy machine, so it is retried. */
export class ProcessingTimeoutError extends TransientError {}

export const MEDIA_MESSAGES = {
  empty: 'This file is empty.',
  unknownType:
    'We can’t read this file. Use a photo (JPEG, PNG, WebP, GIF, AVIF, HEIC), a video (MP4, MOV, WebM, MKV, OGG) or audio (MP3, M4A, AAC, OGG, WAV, FLAC).',
  unknownPicture: 'We can’t read this image. Use JPEG, PNG, WebP, GIF, AVIF or HEIC.',
  wantsPicture: 'Use an image: JPEG, PNG, WebP, GIF, AVIF or HEIC.',
  unsupportedCoding: 'We can’t read this image. Export it as JPEG or PNG.',
  tooManyPixels: `This image is too large. The limit is ${PICTURE_LIMITS.maxPixels / 1_000_000} megapixels.`,
  pictureTooLarge: `This image is too large. The limit is ${PICTURE_LIMITS.maxBytes / 1024 / 1024} MB.`,
  fanFileTooLarge: `This file is too large. The limit is ${CHAT_LIMITS.fanUploadBytes / 1024 / 1024} MB.`,
  loopTooLong: `This animation is too long. The limit is ${LOOP_LIMITS.maxSeconds} seconds and ${LOOP_LIMITS.maxFrames} frames. Export it as MP4.`,
  loopTooLarge: 'This animation is too large. Export it as MP4.',
  damaged: 'This image is damaged or incomplete. Upload it again.',
  damagedVideo: 'This video is damaged or incomplete. Upload it again.',
  damagedAudio: 'This audio file is damaged or incomplete. Upload it again.',
  processingFailed: 'Couldn’t process this photo. Try another copy.',
  streamProcessingFailed: 'Couldn’t process this file. Try another copy.',
  unsupportedCodec: 'We can’t play this format. Export it as MP4 (H.264 and AAC).',
  tooLong: `This file is too long. The limit is ${VIDEO_LIMITS.maxSeconds / 3600} hours.`,
  frameTooLarge: 'This video’s resolution is too high. The limit is 4096 × 2304 pixels.',
  timedOut: 'This file took too long to process. Try a shorter or smaller copy.',
  noTools: 'This server can’t process video, audio or animations yet. Photos work.',
  storageFull: 'We can’t accept this file right now. Try again later.',
} as const;
