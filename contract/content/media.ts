/** Uploads (tus at `/files`) and their processing (rows C7 to C10). Media inside a post are in pictures.ts. */
import * as z from 'zod/mini';
import { event } from '../shared/event.ts';
import { draftId, instant, mediaId, postId } from '../shared/ids.ts';
import { MEDIA_TITLE_LENGTH, SEARCH_LENGTH, VIDEO_LIMITS } from '../shared/limits.ts';
import { usd } from '../shared/money.ts';
import { limit, offset, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { singleLineText } from '../shared/single-line-text.ts';
import { tags } from '../shared/tags.ts';
import { captionTrack, MEDIA_KINDS, picture, stream } from './pictures.ts';
import { PRIVATE_ASSET_PATH, postPrice } from './posts.ts';

/**
 * `packaging`: for playback without re-encoding. `encoding`: first rendition, because the source is not playable.
 * `improving`: usable, and better formats follow.
 */
export const MEDIA_STAGES = ['queued', 'inspecting', 'packaging', 'encoding', 'improving', 'done'] as const;

export const media = z.object({
  id: mediaId,
  kind: z.enum(MEDIA_KINDS),
  status: z.enum(['processing', 'ready', 'failed']),
  stage: z.enum(MEDIA_STAGES),
  /** 0 to 1 within the current stage. */
  progress: z.number(),
  failure: z.nullable(z.string()),
  fileName: z.string(),
  title: z.string(),
  tags: z.array(z.string()),
  /** USD: default price of a post or message. */
  price: usd,
  byteSize: z.number(),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  durationSeconds: z.nullable(z.number()),
  createdAt: instant,
  /** The picture, a video's poster, or an audio's cover. Null until ready. */
  picture: z.nullable(picture),
  stream: z.nullable(stream),
  captions: z.array(captionTrack),
  /** How many tracks of subtitles in the file could not become captions, such as those that are pictures. */
  leftOutSubtitles: z.number(),
  /** Free preview in seconds. */
  teaser: z.nullable(z.object({ start: z.number(), end: z.number() })),
  isUsed: z.boolean(),
});
export type Media = z.infer<typeof media>;

const mediaParams = z.object({ id: mediaId });

/** The types of row C7 and audio. `pictureSet`: pictures in a post with several. */
export const LIBRARY_TYPES = ['all', 'picture', 'pictureSet', 'video', 'audio'] as const;
export const libraryItem = z.object({
  media,
  postId: z.nullable(postId),
  /** The drafts that contain it. Publishing one of them makes it unusable in the others. */
  draftIds: z.array(draftId),
});
export const listMedia = route({
  method: 'GET',
  path: '/creator/media',
  summary: 'List the creator’s uploads, newest first',
  auth: 'creator',
  team: ['posts', 'chat'],
  rate: 'read',
  query: z.object({
    limit,
    offset,
    type: z._default(z.enum(LIBRARY_TYPES), 'all'),
    use: z._default(z.enum(['all', 'used', 'unused']), 'all'),
    search: z._default(z.string().check(z.trim(), z.maxLength(SEARCH_LENGTH)), ''),
  }),
  response: toPageSchema(libraryItem),
});

export const mediaDetail = z.object({
  ...media.shape,
  /** `title` is the first caption line of a post, or a label. */
  uses: z.array(
    z.object({
      kind: z.enum(['post', 'chat']),
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
  earned: usd,
});
export type MediaDetail = z.infer<typeof mediaDetail>;
export const getMedia = route({
  method: 'GET',
  path: '/creator/media/:id',
  summary: 'Retrieve an upload with its processing status, usage and earnings',
  auth: 'creator',
  team: ['posts', 'chat'],
  rate: 'read',
  params: mediaParams,
  response: mediaDetail,
  errors: ['NOT_FOUND'],
});

/** Absent fields stay unchanged. */
export const mediaBody = z.object({
  title: z.optional(singleLineText(MEDIA_TITLE_LENGTH)),
  tags: z.optional(tags),
  price: z.optional(postPrice),
  posterSecond: z.optional(z.number().check(z.gte(0))),
  teaser: z.optional(
    z.nullable(
      z
        .object({ start: z.number().check(z.gte(0)), end: z.number() })
        .check(
          z.refine(
            ({ start, end }) => end - start >= 1 && end - start <= VIDEO_LIMITS.teaserSeconds,
            `A free preview is 1 to ${VIDEO_LIMITS.teaserSeconds} seconds long`,
          ),
        ),
    ),
  ),
});
export type MediaBody = z.input<typeof mediaBody>;
export const updateMedia = route({
  method: 'PATCH',
  path: '/creator/media/:id',
  summary: 'Update an upload’s title, tags, price, poster and teaser',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: mediaParams,
  body: mediaBody,
  response: mediaDetail,
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const uploadPoster = route({
  method: 'POST',
  path: '/creator/media/:id/poster',
  summary: 'Upload a custom poster for a video or audio',
  auth: 'creator',
  team: ['posts'],
  rate: 'upload',
  multipart: true,
  params: mediaParams,
  response: mediaDetail,
  errors: ['NOT_FOUND', 'CONFLICT', 'TOO_LARGE', 'UNSUPPORTED_TYPE'],
});
/** Multipart: `file` (WebVTT or SubRip), `language` (BCP 47), `label`. Replaces the same language. */
export const addCaptions = route({
  method: 'POST',
  path: '/creator/media/:id/captions',
  summary: 'Add captions to a video or audio',
  auth: 'creator',
  team: ['posts'],
  rate: 'upload',
  multipart: true,
  params: mediaParams,
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
  summary: 'Delete an upload. Fails with CONFLICT if it is in use',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: mediaParams,
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
/** Discarded media can be restored for DELETED_MEDIA_DAYS. */
export const restoreMedia = route({
  method: 'POST',
  path: '/creator/media/:id/restore',
  summary: 'Restore a deleted upload',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: mediaParams,
  response: media,
  errors: ['NOT_FOUND'],
});

/** Without `tblType` any access right is sufficient (row C9). */
export const getPrivateAsset = route({
  method: 'GET',
  path: PRIVATE_ASSET_PATH,
  summary: 'Retrieve a media file the caller has access to. Supports Range requests',
  auth: 'public',
  team: ['chat', 'posts'],
  rate: 'asset',
  query: z.object({
    fileKey: z.string(),
    /** The access right to use: `media`, `post`, `chat`. */
    tblType: z.optional(z.string()),
  }),
  response: z.unknown(),
  files: ['image/*', 'video/*', 'audio/*', 'application/*'],
  isStreamed: true,
  errors: ['NOT_FOUND'],
});

/** Pictures carry the viewer's name. Videos do not. */
export const mediaSettings = z.object({ isWatermarked: z.boolean() });
export const getMediaSettings = route({
  method: 'GET',
  path: '/creator/media-settings',
  summary: 'Retrieve media delivery settings',
  auth: 'creator',
  team: ['posts'],
  rate: 'read',
  response: mediaSettings,
});
export const updateMediaSettings = route({
  method: 'PUT',
  path: '/creator/media-settings',
  summary: 'Update media delivery settings',
  auth: 'creator',
  rate: 'write',
  body: mediaSettings,
  response: mediaSettings,
});

/** Stored for media longer than a minute, and removed at the end of playback. */
export const getPlaybackPosition = route({
  method: 'GET',
  path: '/media/:id/position',
  summary: 'Retrieve the saved playback position',
  auth: 'session',
  rate: 'read',
  params: mediaParams,
  response: z.object({ seconds: z.number() }),
  errors: ['NOT_FOUND'],
});
export const savePlaybackPosition = route({
  method: 'PUT',
  path: '/media/:id/position',
  summary: 'Save the playback position',
  auth: 'session',
  rate: 'write',
  params: mediaParams,
  body: z.object({ seconds: z.number().check(z.gte(0)) }),
  response: z.object({ seconds: z.number() }),
  errors: ['NOT_FOUND'],
});

export const mediaProcessed = event({ name: 'MEDIA_PROCESSED', audience: 'user', team: 'posts', payload: media });
/** At most once per second. */
export const mediaProgress = event({
  name: 'MEDIA_PROGRESS',
  audience: 'user',
  team: 'posts',
  payload: z.object({ id: mediaId, stage: z.enum(MEDIA_STAGES), progress: z.number() }),
});
