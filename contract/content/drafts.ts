/** Publishing a draft creates a new id, because the order of post ids is the order of publication. */
import * as z from 'zod/mini';
import { draftId, instant } from '../shared/ids.ts';
import { POST_LIMITS } from '../shared/limits.ts';
import { usd } from '../shared/money.ts';
import { pageQuery, toPageSchema } from '../shared/paging.ts';
import { route } from '../shared/route.ts';
import { media } from './media.ts';
import { postDetails, postDetailsBody } from './post-details.ts';
import { caption, post, postMediaBody, postPrice, taggedUser, taggedUserIds } from './posts.ts';

export const draftBody = z.object({
  caption: z._default(caption, ''),
  price: z._default(postPrice, 0),
  media: z._default(
    z.array(postMediaBody).check(z.maxLength(POST_LIMITS.files, `At most ${POST_LIMITS.files} files`)),
    [],
  ),
  ...postDetailsBody.shape,
  people: z._default(taggedUserIds, []),
  /** Null for a draft. */
  scheduledAt: z._default(z.nullable(instant), null),
});
export type DraftBody = z.input<typeof draftBody>;

export const draft = z.object({
  id: draftId,
  /** CONFLICT if an older version is changed. */
  version: z.number(),
  caption: z.string(),
  title: z.string(),
  price: usd,
  media: z.array(z.object({ media, alt: z.string() })),
  ...postDetails.shape,
  people: z.array(taggedUser),
  scheduledAt: z.nullable(instant),
  updatedAt: instant,
  /** Why scheduled publishing failed. */
  failure: z.nullable(z.string()),
});
export type Draft = z.infer<typeof draft>;

const draftParams = z.object({ id: draftId });

export const listDrafts = route({
  method: 'GET',
  path: '/creator/drafts',
  summary: 'List drafts by latest change, or scheduled posts by publication time',
  auth: 'creator',
  team: ['posts'],
  rate: 'read',
  query: z.object({ ...pageQuery.shape, state: z._default(z.enum(['draft', 'scheduled']), 'draft') }),
  response: toPageSchema(draft),
});
export const getDraft = route({
  method: 'GET',
  path: '/creator/drafts/:id',
  summary: 'Retrieve a draft',
  auth: 'creator',
  team: ['posts'],
  rate: 'read',
  params: draftParams,
  response: draft,
  errors: ['NOT_FOUND'],
});
export const createDraft = route({
  method: 'POST',
  path: '/creator/drafts',
  summary: 'Create a draft or schedule a post',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  idempotent: true,
  body: draftBody,
  response: draft,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_VERIFIED'],
});
export const updateDraft = route({
  method: 'PUT',
  path: '/creator/drafts/:id',
  summary: 'Update a draft or its schedule. Fails with CONFLICT if the draft has changed',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: draftParams,
  body: z.object({ ...draftBody.shape, version: z.number() }),
  response: draft,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_VERIFIED'],
});
export const deleteDraft = route({
  method: 'DELETE',
  path: '/creator/drafts/:id',
  summary: 'Delete a draft. Its media stay in the library',
  auth: 'creator',
  team: ['posts'],
  rate: 'write',
  params: draftParams,
  response: z.object({ info: z.string() }),
  errors: ['NOT_FOUND'],
});
export const previewDraft = route({
  method: 'GET',
  path: '/creator/drafts/:id/preview',
  summary: 'Preview a draft as fans will see it, unlocked and locked',
  auth: 'creator',
  team: ['posts'],
  rate: 'read',
  params: draftParams,
  response: z.object({ open: post, locked: z.nullable(post) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
export const publishDraft = route({
  method: 'POST',
  path: '/creator/drafts/:id/publish',
  summary: 'Publish a draft now',
  auth: 'creator',
  team: ['posts'],
  activity: 'posting',
  rate: 'write',
  idempotent: true,
  params: draftParams,
  body: z.object({ version: z.number() }),
  response: post,
  errors: ['NOT_FOUND', 'CONFLICT', 'NOT_VERIFIED'],
});
