/** How a picture travels: its sizes, its placeholder, and never an address that the viewer may not open. */
import * as z from 'zod/mini';

/** A picture somebody may see. `sources` are complete `srcset` values by type, best first; `url` is the fallback. */
export const picture = z.object({
  url: z.string(),
  width: z.number(),
  height: z.number(),
  alt: z.string(),
  /** thumbhash as base64, for the placeholder. */
  thumbhash: z.nullable(z.string()),
  sources: z.array(z.object({ type: z.string(), srcset: z.string() })),
});
export type Picture = z.infer<typeof picture>;

export const MEDIA_KINDS = ['picture', 'video', 'audio'] as const;

/** Captions of a video or audio. `language` is a BCP 47 tag, `url` a WebVTT file. */
export const captionTrack = z.object({ language: z.string(), label: z.string(), url: z.string() });
export type CaptionTrack = z.infer<typeof captionTrack>;

/** How an open video or audio is played (row C10). Addresses answer only this viewer, and not for long after access ends. */
export const stream = z.object({
  /** The adaptive playlist; its segments are relative to it. Null for audio, and while there is only the file. */
  hls: z.nullable(z.string()),
  /** A plain file any browser plays, with Range. */
  file: z.nullable(z.string()),
  fileType: z.nullable(z.string()),
  /** Small frames for the scrubber: one picture of `columns` columns, a frame every `interval` seconds. */
  sprite: z.nullable(
    z.object({
      url: z.string(),
      frameWidth: z.number(),
      frameHeight: z.number(),
      columns: z.number(),
      count: z.number(),
      interval: z.number(),
    }),
  ),
  /** An audio's loudness over its length, 0 to 1, at most 400 values. */
  waveform: z.array(z.number()),
  /** A picture that moves: short, silent, to be played over and over, without being asked where that is welcome. */
  isLoop: z.boolean(),
  captions: z.array(captionTrack),
});
export type Stream = z.infer<typeof stream>;

/** A free taste of a locked video or audio, public. `file` is an MP4 (H.264 and AAC) or M4A of at most 45 s. */
export const teaser = z.object({ file: z.string(), fileType: z.string(), seconds: z.number() });

/** One item of a post that the viewer may see. */
const openMedia = z.object({
  id: z.string(),
  kind: z.enum(MEDIA_KINDS),
  isLocked: z.literal(false),
  byteSize: z.number(),
  durationSeconds: z.nullable(z.number()),
  /** The picture itself, or a video's poster, or an audio's cover; a plain one is drawn where there is none. */
  picture,
  /** Of videos and audios only. */
  stream: z.nullable(stream),
});

/** One item the viewer has not bought: what it is, and a preview destroyed on the server. It has no address of the original by type. */
const lockedMedia = z.object({
  id: z.string(),
  kind: z.enum(MEDIA_KINDS),
  isLocked: z.literal(true),
  byteSize: z.number(),
  durationSeconds: z.nullable(z.number()),
  width: z.number(),
  height: z.number(),
  /** Blurred beyond recovery, with the picture's light only. */
  preview: picture,
  teaser: z.nullable(teaser),
});

export const postMedia = z.discriminatedUnion('isLocked', [openMedia, lockedMedia]);
export type PostMedia = z.infer<typeof postMedia>;
