/**
 * The creator's media library: uploads (tus at `/files`) and what processing makes of them, before and after they are
 * used (rows C7 to C10). What a viewer sees of one inside a post is in pictures.ts.
 */
import * as z from 'zod/mini';
import { event } from './atoms/event.ts';
import { instant, mediaId, postId } from './atoms/ids.ts';
import { MEDIA_TITLE_LENGTH, SEARCH_LENGTH, VIDEO } from './atoms/limits.ts';
import { line } from './atoms/lines.ts';
import { usd } from './atoms/money.ts';
import { limit, offset, pageOf } from './atoms/paging.ts';
import { route } from './atoms/route.ts';
import { tags } from './atoms/tags.ts';
import { captionTrack, MEDIA_KINDS, picture, stream } from './pictures.ts';
import { PRIVATE_ASSET_PATH, postPrice } from './posts.ts';

/**
 * How far processing is. `queued`: waits its turn. `inspecting`: looked at by content. `packaging`: made playable as it is.
 * `encoding`: the first rung is being made, as the source cannot be played as it is. `improving`: usable already, better
 * formats follow in the background. `done`: nothing is to come.
 */
export const MEDIA_STAGES = ['queued', 'inspecting', 'packaging', 'encoding', 'improving', 'done'] as const;

/** An upload, to its owner. `ready` may be published; `failed` says why in a sentence. */
export const media = z.object({
  id: mediaId,
  kind: z.enum(MEDIA_KINDS),
  status: z.enum(['processing', 'ready', 'failed']),
  stage: z.enum(MEDIA_STAGES),
  /** 0 to 1 of the present stage. */
  progress: z.number(),
  failure: z.nullable(z.string()),
  fileName: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  /** USD; what a post or a message of it is offered at by default. */
  price: usd,
  byteSize: z.number(),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  durationSeconds: z.nullable(z.number()),
  createdAt: instant,
  /** The picture itself; a video's poster; an audio's cover, if it has one. Null until ready. */
  picture: z.nullable(picture),
  stream: z.nullable(stream),
  captions: z.array(captionTrack),
  /** Where a free taste of a paid video or audio begins and ends, in seconds; null is none. */
  teaser: z.nullable(z.object({ start: z.number(), end: z.number() })),
  isUsed: z.boolean(),
});
export type Media = z.infer<typeof media>;

const onMedia = z.object({ id: mediaId });

/** Row C7's types, and audio. A `pictureSet` here is: pictures that hang in a post with others. */
export const LIBRARY_TYPES = ['all', 'picture', 'pictureSet', 'video', 'audio'] as const;
export const libraryItem = z.object({
  media,
  /** The post it hangs in. */
  postId: z.nullable(postId),
});
export const listMedia = route({
  method: 'GET',
  path: '/creator/media',
  summary: 'Own uploads, newest first',
  auth: 'creator',
  team: ['posts', 'chat'],
  rate: 'read',
  query: z.object({
    limit,
    offset,
    type: z._default(z.enum(LIBRARY_TYPES), 'all'),
    use: z._default(z.enum(['all', 'used', 'unused']), 'all'),
    /** In titles, tags and file names. */
    search: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_LENGTH)), ''),
  }),
  response: pageOf(libraryItem),
});

/** One own upload, where it is used, and what it brought. */
export const mediaDetail = z.object({
  ...media.shape,
  /** Newest first. `where` is a post's first caption line, or words for a chat message. */
  uses: z.array(
    z.object({
      kind: z.enum(['post', 'chat']),
      /** The page it is seen on. */
      href: z.string(),
      title: z.string(),
      createdAt: instant,
      price: usd,
      isRemoved: z.boolean(),
      buyerCount: z.number(),
      earned: usd,
    }),
  ),
  buyerCount: z.number(),
  /** USD after the platform's fee. */
  earned: usd,
});
export type MediaDetail = z.infer<typeof mediaDetail>;
export const getMedia = route({
  method: 'GET',
  path: '/creator/media/:id',
  summary: 'One own upload: how far its processing is, where it is used, what it brought',
  auth: 'creator',
  team: ['posts', 'chat'],
  rate: 'read',
  params: onMedia,
  response: mediaDetail,
  errors: ['NOT_FOUND'],
});

/** What is left out stays. */
export const mediaBody = z.object({
  title: z.optional(line(MEDIA_TITLE_LENGTH)),
  tags: z.optional(tags),
  price: z.optional(postPrice),
  /** Takes a video's poster from that second. */
  posterSecond: z.optional(z.number().check(z.gte(0))),
  teaser: z.optional(
    z.nullable(
      z
        .object({ start: z.number().check(z.gte(0)), end: z.number() })
        .check(
          z.refine(
            ({ start, end }) => end - start >= 1 && end - start <= VIDEO.teaserSeconds,
            `A teaser is 1 to ${VIDEO.teaserSeconds} seconds long`,
          ),
        ),
    ),
  ),
});
export type MediaBody = z.input<typeof mediaBody>;
export const updateMedia = route({
  method: 'PATCH',
  path: '/creator/media/:id',
  summary: 'Change title, tags, price, poster and teaser of an own upload',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: onMedia,
  body: mediaBody,
  response: mediaDetail,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
/** Multipart: `file`, a picture. */
export const setPoster = route({
  method: 'POST',
  path: '/creator/media/:id/poster',
  summary: 'Give a video or audio a poster of its own',
  auth: 'creator',
  team: ['posts'],
  rate: 'upload',
  multipart: true,
  params: onMedia,
  response: mediaDetail,
  errors: ['NOT_FOUND', 'CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_TYPE'],
});
/** Multipart: `file` (WebVTT or SubRip), `language` (BCP 47), `label`. The same language again replaces it. */
export const addCaptions = route({
  method: 'POST',
  path: '/creator/media/:id/captions',
  summary: 'Add captions to a video or audio',
  auth: 'creator',
  team: ['posts'],
  rate: 'upload',
  multipart: true,
  params: onMedia,
  response: mediaDetail,
  errors: ['NOT_FOUND', 'CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_TYPE'],
});
export const removeCaptions = route({
  method: 'DELETE',
  path: '/creator/media/:id/captions/:language',
  summary: 'Remove captions',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: z.object({ id: mediaId, language: z.string().check(z.maxLength(35)) }),
  response: mediaDetail,
  errors: ['NOT_FOUND'],
});
export const deleteMedia = route({
  method: 'DELETE',
  path: '/creator/media/:id',
  summary: 'Discard an own upload that nothing uses',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: onMedia,
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
/** What was discarded rests for DELETED_MEDIA_DAYS, in no list, before its bytes go. */
export const restoreMedia = route({
  method: 'POST',
  path: '/creator/media/:id/restore',
  summary: 'Take back that an own upload was discarded',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: onMedia,
  response: media,
  errors: ['NOT_FOUND'],
});

/** Row C9. Without `tblType` every right there is counts. */
export const privateAsset = route({
  method: 'GET',
  path: PRIVATE_ASSET_PATH,
  summary: 'The bytes of a file, with Range, to those who may see them',
  auth: 'public',
  team: ['chat', 'posts'],
  rate: 'asset',
  query: z.object({
    /** As answered in addresses. */
    fileKey: z.string(),
    /** The right by which it is asked for: `media`, `post`, `chat`. */
    tblType: z.optional(z.string()),
  }),
  response: z.unknown(),
  files: ['image/*', 'video/*', 'audio/*', 'application/*'],
  isPoured: true,
  errors: ['NOT_FOUND'],
});

/** Whether delivered pictures carry the viewer's name. Videos are not marked. */
export const mediaSettings = z.object({ isWatermarked: z.boolean() });
export const getMediaSettings = route({
  method: 'GET',
  path: '/creator/media-settings',
  summary: 'How own media are delivered',
  auth: 'creator',
  team: ['posts'],
  rate: 'read',
  response: mediaSettings,
});
export const updateMediaSettings = route({
  method: 'PUT',
  path: '/creator/media-settings',
  summary: 'Change how own media are delivered',
  auth: 'creator',
  rate: 'write',
  body: mediaSettings,
  response: mediaSettings,
});

/** Where a person stopped. Kept for videos and audios longer than a minute; the end forgets it. */
export const getPosition = route({
  method: 'GET',
  path: '/media/:id/position',
  summary: 'Where the viewer stopped watching',
  auth: 'session',
  rate: 'read',
  params: onMedia,
  response: z.object({ seconds: z.number() }),
  errors: ['NOT_FOUND'],
});
export const savePosition = route({
  method: 'PUT',
  path: '/media/:id/position',
  summary: 'Remember where the viewer stopped watching',
  auth: 'session',
  rate: 'write',
  params: onMedia,
  body: z.object({ seconds: z.number().check(z.gte(0)) }),
  response: z.object({ seconds: z.number() }),
  errors: ['NOT_FOUND'],
});

/** To the owner: processing of an upload ended, or something of it changed. */
export const mediaProcessed = event({ name: 'MEDIA_PROCESSED', audience: 'user', team: 'posts', payload: media });
/** To the owner, at most once a second while it runs. */
export const mediaProgress = event({
  name: 'MEDIA_PROGRESS',
  audience: 'user',
  team: 'posts',
  payload: z.object({ id: mediaId, stage: z.enum(MEDIA_STAGES), progress: z.number() }),
});
