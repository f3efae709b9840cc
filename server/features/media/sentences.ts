import { PICTURE, VIDEO } from '@stagedoor/contract/atoms/limits.ts';
import { CHAT_LIMITS, LOOP } from '@stagedoor/contract/atoms/room-limits.ts';

/** The message is shown to the uploader. */
export class MediaError extends Error {}

/** A failure that says nothing about the file, such as a killed program or lack of memory. It is retried. */
export class MachineError extends Error {}

/** A timeout happens to any file on a busy machine, so it is retried. */
export class SlowError extends MachineError {}

export const SENTENCES = {
  empty: 'This file is empty.',
  type: 'We can’t read this file. Use a photo (JPEG, PNG, WebP, GIF, AVIF, HEIC), a video (MP4, MOV, WebM, MKV, OGG) or audio (MP3, M4A, AAC, OGG, WAV, FLAC).',
  picture: 'We can’t read this image. Use JPEG, PNG, WebP, GIF, AVIF or HEIC.',
  wantsPicture: 'Use an image: JPEG, PNG, WebP, GIF, AVIF or HEIC.',
  coding: 'We can’t read this image. Export it as JPEG or PNG.',
  pixels: `This image is too large. The limit is ${PICTURE.maxPixels / 1_000_000} megapixels.`,
  pictureBytes: `This image is too large. The limit is ${PICTURE.maxBytes / 1024 / 1024} MB.`,
  fanBytes: `This file is too large. The limit is ${CHAT_LIMITS.fanUploadBytes / 1024 / 1024} MB.`,
  longLoop: `This animation is too long. The limit is ${LOOP.maxSeconds} seconds and ${LOOP.maxFrames} frames. Export it as MP4.`,
  largeLoop: 'This animation is too large. Export it as MP4.',
  damaged: 'This image is damaged or incomplete. Upload it again.',
  damagedVideo: 'This video is damaged or incomplete. Upload it again.',
  damagedAudio: 'This audio file is damaged or incomplete. Upload it again.',
  unknown: 'Couldn’t process this photo. Try another copy.',
  unknownStream: 'Couldn’t process this file. Try another copy.',
  codec: 'We can’t play this format. Export it as MP4 (H.264 and AAC).',
  long: `This file is too long. The limit is ${VIDEO.maxSeconds / 3600} hours.`,
  frame: 'This video’s resolution is too high. The limit is 4096 × 2304 pixels.',
  slow: 'This file took too long to process. Try a shorter or smaller copy.',
  noTools: 'This server can’t process video, audio or animations yet. Photos work.',
  full: 'We can’t accept this file right now. Try again later.',
} as const;
