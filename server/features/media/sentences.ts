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
  type: 'This is not a file we can read. Please use a picture (JPEG, PNG, WebP, GIF, AVIF, HEIC), a video (MP4, MOV, WebM, MKV, OGG) or audio (MP3, M4A, AAC, OGG, WAV, FLAC).',
  picture: 'This is not a picture we can read. Please use JPEG, PNG, WebP, GIF, AVIF or HEIC.',
  wantsPicture: 'Please use a picture: JPEG, PNG, WebP, GIF, AVIF or HEIC.',
  coding: 'This picture is coded in a way we cannot read. Export it as JPEG or PNG and upload that.',
  pixels: `This picture is too large. At most ${PICTURE.maxPixels / 1_000_000} megapixels are accepted.`,
  pictureBytes: `This picture is too large. At most ${PICTURE.maxBytes / 1024 / 1024} MB are accepted.`,
  fanBytes: `This file is too large. At most ${CHAT_LIMITS.fanUploadBytes / 1024 / 1024} MB are accepted.`,
  longLoop: `This moving picture is too long. At most ${LOOP.maxSeconds} seconds and ${LOOP.maxFrames} frames are accepted. Export it as MP4 and upload that.`,
  largeLoop: 'This moving picture is too large. Export it as MP4 and upload that.',
  damaged: 'This picture is damaged or incomplete. Please upload it again.',
  damagedVideo: 'This video is damaged or incomplete. Please upload it again.',
  damagedAudio: 'This audio is damaged or incomplete. Please upload it again.',
  unknown: 'This picture could not be processed. Please try another copy of it.',
  unknownStream: 'This file could not be processed. Please try another copy of it.',
  codec: 'This file is coded in a way we cannot play. Please export it as MP4 (H.264 and AAC) and upload that.',
  long: `This is too long. At most ${VIDEO.maxSeconds / 3600} hours are accepted.`,
  frame: `This video’s picture is too large. At most 4096 × 2304 pixels are accepted.`,
  slow: 'This file took too long to process. Please try a shorter or smaller copy of it.',
  noTools: 'Video, audio and moving pictures cannot be processed on this server yet. Still pictures can.',
  full: 'There is no room for this file on the server at the moment. Please try again later.',
} as const;
