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

/** One item of a post that the viewer may see. */
const openMedia = z.object({
  id: z.string(),
  kind: z.enum(MEDIA_KINDS),
  isLocked: z.literal(false),
  byteSize: z.number(),
  durationSeconds: z.nullable(z.number()),
  picture,
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
});

export const postMedia = z.discriminatedUnion('isLocked', [openMedia, lockedMedia]);
export type PostMedia = z.infer<typeof postMedia>;
