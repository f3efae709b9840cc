/** Pictures and media on the wire. They never contain a URL that the viewer may not open. */
import * as z from 'zod/mini';

/** `sources` are complete `srcset` values, best first. `url` is the fallback. */
export const picture = z.object({
  url: z.string(),
  width: z.number(),
  height: z.number(),
  alt: z.string(),
  thumbhash: z.nullable(z.string()),
  sources: z.array(z.object({ type: z.string(), srcset: z.string() })),
});
export type Picture = z.infer<typeof picture>;

export const MEDIA_KINDS = ['picture', 'video', 'audio'] as const;

/** `language` is a BCP 47 tag, `url` a WebVTT file. */
export const captionTrack = z.object({ language: z.string(), label: z.string(), url: z.string() });
export type CaptionTrack = z.infer<typeof captionTrack>;

/** URLs work only for this viewer, and expire soon after access ends (row C10). */
export const stream = z.object({
  /** Playlist with relative segments. Null for audio, and while only the file exists. */
  hls: z.nullable(z.string()),
  file: z.nullable(z.string()),
  fileType: z.nullable(z.string()),
  /** Preview frames: one picture with `columns` columns, a frame every `interval` seconds. */
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
  /** 0 to 1, at most 400 values. */
  waveform: z.array(z.number()),
  /** An animated image: a short silent video that loops. */
  isLoop: z.boolean(),
  captions: z.array(captionTrack),
});
export type Stream = z.infer<typeof stream>;

/** Public preview. `file` is an MP4 (H.264 and AAC) or M4A of at most 45 s. */
export const teaser = z.object({ file: z.string(), fileType: z.string(), seconds: z.number() });

const openMedia = z.object({
  id: z.string(),
  kind: z.enum(MEDIA_KINDS),
  isLocked: z.literal(false),
  byteSize: z.number(),
  durationSeconds: z.nullable(z.number()),
  picture,
  stream: z.nullable(stream),
});

/**
 * The viewer has not bought it and gets metadata and an irreversibly blurred preview. The type has no field for the
 * original.
 */
const lockedMedia = z.object({
  id: z.string(),
  kind: z.enum(MEDIA_KINDS),
  isLocked: z.literal(true),
  byteSize: z.number(),
  durationSeconds: z.nullable(z.number()),
  width: z.number(),
  height: z.number(),
  preview: picture,
  teaser: z.nullable(teaser),
});

export const postMedia = z.discriminatedUnion('isLocked', [openMedia, lockedMedia]);
export type PostMedia = z.infer<typeof postMedia>;
