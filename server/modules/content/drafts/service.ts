import { isDeepStrictEqual } from 'node:util';
import type {
  createDraft as createDraftRoute,
  Draft,
  listDrafts as listDraftsRoute,
  previewDraft as previewDraftRoute,
} from '@stagedoor/contract/content/drafts.ts';
import { toPostDetails } from '@stagedoor/contract/content/post-details.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { POST_LIMITS } from '@stagedoor/contract/shared/limits.ts';
import { DRAFT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { toCents } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { parseOffset, toCursor } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { requirePriceInLimits } from '../../commerce/sales/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import { listOwnMedia } from '../media/index.ts';
import {
  presentPostPreview,
  requireOwnAudiences,
  requirePublishable,
  requireTaggable,
  requireUniqueMedia,
  toPostType,
  toPublishedDetails,
} from '../posts/index.ts';
import { accessDraft, lockOwnDraft } from './access.ts';
import { presentDrafts } from './present.ts';
import { enqueuePublication } from './publish.ts';
import * as store from './store.ts';
import * as texts from './texts.ts';

type DraftBody = BodyOf<typeof createDraftRoute>;

const DAY_MS = 24 * 60 * 60 * 1000;

function toContent(body: DraftBody): store.DraftContent {
  const { caption, price, media, people, scheduledAt } = body;
  return {
    caption,
    priceCents: toCents(price),
    media,
    details: toPostDetails(body),
    people,
    scheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
  };
}

function toComparable({ caption, priceCents, media, details, people, scheduledAt }: store.DraftContent) {
  return {
    caption,
    priceCents,
    media: media.map(({ id, alt }) => [id, alt]),
    details,
    people: [...people],
    scheduledAt: scheduledAt?.toISOString() ?? null,
  };
}

function toDraftContent(row: store.DraftRow): store.DraftContent {
  return { ...row, priceCents: row.price_cents, scheduledAt: row.scheduled_at };
}

/** Throws VALIDATION, NOT_FOUND (media of another user). */
async function requireWritable(db: Executor, actor: Actor, content: store.DraftContent): Promise<void> {
  requireUniqueMedia(content.media);
  await requireTaggable(db, actor.userId, content.people);
  await requireOwnAudiences(db, actor.userId, [toPublishedDetails(content.details, content.priceCents).subscribers]);
  const ids = content.media.map(({ id }) => id);
  const media = await listOwnMedia(db, actor.userId, ids);
  if (media.length < ids.length) throw new AppError('NOT_FOUND', { message: texts.draftFileMissing });
}

/** Checks what is known now. Throws VALIDATION, CONFLICT, NOT_VERIFIED. */
async function requireSchedulable(
  ctx: Context,
  db: Executor,
  actor: Actor,
  content: store.DraftContent,
): Promise<void> {
  const { scheduledAt } = content;
  if (scheduledAt === null) return;
  const ahead = scheduledAt.getTime() - ctx.clock.now().getTime();
  if (ahead <= 0) throw createFieldError('scheduledAt', texts.chooseFutureTime);
  if (ahead > DRAFT_LIMITS.scheduleDays * DAY_MS) throw createFieldError('scheduledAt', texts.chooseTimeWithinYear);
  await requirePublishable(ctx, db, actor.userId, content.priceCents);
  if (content.media.length < POST_LIMITS.minFiles) throw createFieldError('media', texts.addAtLeastOneFile);
  const media = await listOwnMedia(
    db,
    actor.userId,
    content.media.map(({ id }) => id),
  );
  toPostType(media.map(({ kind }) => kind));
  if (media.some(({ status }) => status === 'failed'))
    throw new AppError('CONFLICT', { message: texts.removeFailedFilesFirst });
  if (media.some(({ isUsed }) => isUsed)) throw new AppError('CONFLICT', { message: texts.fileAlreadyInPost });
}

async function presentDraft(ctx: Context, actor: Actor, row: store.DraftRow): Promise<Draft> {
  const [draft] = await presentDrafts(ctx.db, actor.userId, [row]);
  if (!draft) throw new AppError('NOT_FOUND');
  return draft;
}

async function enqueueIfScheduled(
  ctx: Context,
  tx: DbTransaction,
  id: string,
  scheduledAt: Date | null,
): Promise<void> {
  if (scheduledAt)
    await enqueuePublication(ctx, tx, { draftId: id, scheduledAt: scheduledAt.toISOString() }, scheduledAt);
}

/**
 * The same operation id returns the same draft.
 * Throws VALIDATION, NOT_FOUND (media of another user), CONFLICT (too many drafts, media failed or used, operation id
 * reused), NOT_VERIFIED.
 */
export async function createDraft(ctx: Context, actor: Actor, body: DraftBody, operationId: string): Promise<Draft> {
  const content = toContent(body);
  const id = createId(ctx.clock);
  const existingId = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'createDraft', ...toComparable(content) });
    const knownId = await claimIdempotencyKey(tx, { actorId: actor.userId, operationId, requestHash, subjectId: id });
    if (knownId) return knownId;
    await requireWritable(tx, actor, content);
    await requirePriceInLimits(tx, 'post', content.priceCents);
    await requireSchedulable(ctx, tx, actor, content);
    const draft = { ...content, id, creatorId: actor.userId, at: ctx.clock.now(), limit: DRAFT_LIMITS.max };
    if (!(await store.insertDraft(tx, draft)))
      throw new AppError('CONFLICT', { message: formatText(texts.draftsLimit, { max: DRAFT_LIMITS.max }) });
    await enqueueIfScheduled(ctx, tx, id, content.scheduledAt);
    return undefined;
  });
  return getDraft(ctx, actor, existingId ?? id);
}

/**
 * Identical content is accepted with any version, so that a lost response does not become a conflict.
 * Throws NOT_FOUND, CONFLICT (another version, or media failed or used while scheduling), VALIDATION, NOT_VERIFIED.
 */
export async function updateDraft(
  ctx: Context,
  actor: Actor,
  draftRef: { id: string; version: number },
  body: DraftBody,
): Promise<Draft> {
  const content = toContent(body);
  await ctx.db.transaction(async (tx) => {
    const row = await lockOwnDraft(tx, actor, draftRef.id);
    if (isDeepStrictEqual(toComparable(content), toComparable(toDraftContent(row)))) return;
    if (row.version !== draftRef.version) throw new AppError('CONFLICT', { message: texts.draftEditedElsewhere });
    await requireWritable(tx, actor, content);
    if (content.priceCents !== row.price_cents) await requirePriceInLimits(tx, 'post', content.priceCents);
    await requireSchedulable(ctx, tx, actor, content);
    await store.updateDraft(tx, row.id, { ...content, at: ctx.clock.now() });
    await enqueueIfScheduled(ctx, tx, row.id, content.scheduledAt);
  });
  return getDraft(ctx, actor, draftRef.id);
}

/** Its media stay in the library. Throws NOT_FOUND. */
export async function deleteDraft(ctx: Context, actor: Actor, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const row = await lockOwnDraft(tx, actor, id);
    await store.deleteDraft(tx, row.id);
  });
}

/** Throws NOT_FOUND. */
export async function getDraft(ctx: Context, actor: Actor, id: string): Promise<Draft> {
  return presentDraft(ctx, actor, await accessDraft(ctx.db, actor, id));
}

function parseCursor(offset: string): Pick<store.DraftPage, 'after' | 'skip'> {
  const { skip, after } = parseOffset(offset);
  if (after === undefined) return { skip, after: undefined };
  const [instant = '', id = ''] = after.split(' ');
  const at = new Date(instant);
  if (Number.isNaN(at.getTime()) || !isId(id)) throw createFieldError('offset', texts.invalidOffset);
  return { skip, after: { at, id } };
}

export async function listDrafts(
  ctx: Context,
  actor: Actor,
  { limit, offset, state }: QueryOf<typeof listDraftsRoute>,
): Promise<ResponseInputOf<typeof listDraftsRoute>> {
  const page = { ...parseCursor(offset), limit: limit + 1 };
  const [rows, totalCount] = await Promise.all([
    store.listDrafts(ctx.db, actor.userId, state, page),
    store.countDrafts(ctx.db, actor.userId, state),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const cursor = last && `${(last.scheduled_at ?? last.updated_at).toISOString()} ${last.id}`;
  return {
    data: await presentDrafts(ctx.db, actor.userId, shown),
    limit,
    totalCount,
    ...(rows.length > limit && cursor ? { nextOffset: toCursor(cursor) } : {}),
  };
}

/** Throws NOT_FOUND, CONFLICT if no media are ready. */
export async function previewDraft(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ResponseInputOf<typeof previewDraftRoute>> {
  const row = await accessDraft(ctx.db, actor, id);
  const ids = row.media.map((medium) => medium.id);
  const ready = new Set<string>();
  for (const medium of await listOwnMedia(ctx.db, actor.userId, ids))
    if (medium.status === 'ready') ready.add(medium.id);
  const media = row.media.filter((medium) => ready.has(medium.id));
  if (media.length === 0) throw new AppError('CONFLICT', { message: texts.noPreviewYet });
  const { caption, price_cents: priceCents, details, people } = row;
  const content = { id: row.id, creatorId: actor.userId, caption, priceCents, media, details, people };
  return presentPostPreview(ctx, content);
}
