import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { POST_LIMITS } from '@stagedoor/contract/atoms/limits.ts';
import { toCents } from '@stagedoor/contract/atoms/money.ts';
import { DRAFTS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type {
  createDraft as createDraftRoute,
  Draft,
  listDrafts as listDraftsRoute,
  previewDraft as previewDraftRoute,
} from '@stagedoor/contract/publishing.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { cursorOf, readOffset } from '../../kernel/offset.ts';
import { claimOperation } from '../../kernel/operations.ts';
import type { Actor } from '../../kernel/session.ts';
import { hashRequest } from '../ledger/index.ts';
import { readOwnMedia } from '../media/index.ts';
import { previewContent, requireMayAsk, requireOnce, requirePeople, typeOf } from '../posts/index.ts';
import { requirePriceWithin } from '../sales/index.ts';
import { accessDraft, lockOwnDraft } from './access.ts';
import { presentDrafts } from './present.ts';
import { enqueuePublication } from './publish.ts';
import * as store from './store.ts';

type Body = BodyOf<typeof createDraftRoute>;

const DAY_MS = 24 * 60 * 60 * 1000;

function contentOf(body: Body): store.Content {
  const { caption, price, media, tags, people, scheduledAt } = body;
  return {
    caption,
    priceCents: toCents(price),
    media,
    tags: [...new Set(tags)],
    people,
    scheduledAt: scheduledAt === null ? null : new Date(scheduledAt),
  };
}

function plainOf({ caption, priceCents, media, tags, people, scheduledAt }: store.Content) {
  return {
    caption,
    priceCents,
    media: media.map(({ id, alt }) => [id, alt]),
    tags: [...tags],
    people: [...people],
    scheduledAt: scheduledAt?.toISOString() ?? null,
  };
}

function contentOfRow(row: store.DraftRow): store.Content {
  return { ...row, priceCents: row.price_cents, scheduledAt: row.scheduled_at };
}

/** Throws VALIDATION, NOT_FOUND (media of another user). */
async function requireWritable(db: Executor, actor: Actor, content: store.Content): Promise<void> {
  requireOnce(content.media);
  await requirePeople(db, actor.userId, content.people);
  const ids = content.media.map(({ id }) => id);
  const media = await readOwnMedia(db, actor.userId, ids);
  if (media.length < ids.length) throw new AppError('NOT_FOUND', { message: 'One of the files no longer exists.' });
}

/** Checks what is known now. Throws VALIDATION, CONFLICT, NOT_VERIFIED. */
async function requireSchedulable(ctx: Context, db: Executor, actor: Actor, content: store.Content): Promise<void> {
  const { scheduledAt } = content;
  if (scheduledAt === null) return;
  const ahead = scheduledAt.getTime() - ctx.clock.now().getTime();
  if (ahead <= 0) throw invalid('scheduledAt', 'Choose a time in the future.');
  if (ahead > DRAFTS.scheduleDays * DAY_MS) throw invalid('scheduledAt', 'Choose a time within a year.');
  await requireMayAsk(ctx, db, actor.userId, content.priceCents);
  if (content.media.length < POST_LIMITS.minFiles) throw invalid('media', 'Add at least one file');
  const media = await readOwnMedia(
    db,
    actor.userId,
    content.media.map(({ id }) => id),
  );
  typeOf(media.map(({ kind }) => kind));
  if (media.some(({ status }) => status === 'failed'))
    throw new AppError('CONFLICT', { message: 'Remove failed files first.' });
  if (media.some(({ isUsed }) => isUsed))
    throw new AppError('CONFLICT', { message: 'One of these files is already in another post. Remove it.' });
}

async function presentOne(ctx: Context, actor: Actor, row: store.DraftRow): Promise<Draft> {
  const [draft] = await presentDrafts(ctx.db, actor.userId, [row]);
  if (!draft) throw new AppError('NOT_FOUND');
  return draft;
}

async function schedule(ctx: Context, tx: Transaction, id: string, scheduledAt: Date | null): Promise<void> {
  if (scheduledAt)
    await enqueuePublication(ctx, tx, { draftId: id, scheduledAt: scheduledAt.toISOString() }, scheduledAt);
}

/**
 * The same operation id returns the same draft.
 * Throws VALIDATION, NOT_FOUND (media of another user), CONFLICT (too many drafts, media failed or used, operation id
 * reused), NOT_VERIFIED.
 */
export async function createDraft(ctx: Context, actor: Actor, body: Body, operationId: string): Promise<Draft> {
  const content = contentOf(body);
  const id = newId(ctx.clock);
  const earlier = await ctx.db.transaction(async (tx) => {
    const requestHash = hashRequest({ call: 'createDraft', ...plainOf(content) });
    const known = await claimOperation(tx, { actorId: actor.userId, operationId, requestHash, subjectId: id });
    if (known) return known;
    await requireWritable(tx, actor, content);
    await requirePriceWithin(tx, 'post', content.priceCents);
    await requireSchedulable(ctx, tx, actor, content);
    const draft = { ...content, id, creatorId: actor.userId, at: ctx.clock.now(), limit: DRAFTS.max };
    if (!(await store.insertDraft(tx, draft)))
      throw new AppError('CONFLICT', { message: `You have ${DRAFTS.max} drafts. Publish or delete some first.` });
    await schedule(ctx, tx, id, content.scheduledAt);
    return undefined;
  });
  return getDraft(ctx, actor, earlier ?? id);
}

/**
 * Identical content is accepted with any version, so that a lost response does not become a conflict.
 * Throws NOT_FOUND, CONFLICT (another version, or media failed or used while scheduling), VALIDATION, NOT_VERIFIED.
 */
export async function updateDraft(
  ctx: Context,
  actor: Actor,
  known: { id: string; version: number },
  body: Body,
): Promise<Draft> {
  const content = contentOf(body);
  await ctx.db.transaction(async (tx) => {
    const row = await lockOwnDraft(tx, actor, known.id);
    if (JSON.stringify(plainOf(content)) === JSON.stringify(plainOf(contentOfRow(row)))) return;
    if (row.version !== known.version)
      throw new AppError('CONFLICT', { message: 'This draft was edited elsewhere. Reload it.' });
    await requireWritable(tx, actor, content);
    if (content.priceCents !== row.price_cents) await requirePriceWithin(tx, 'post', content.priceCents);
    await requireSchedulable(ctx, tx, actor, content);
    await store.updateDraft(tx, row.id, { ...content, at: ctx.clock.now() });
    await schedule(ctx, tx, row.id, content.scheduledAt);
  });
  return getDraft(ctx, actor, known.id);
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
  return presentOne(ctx, actor, await accessDraft(ctx.db, actor, id));
}

function placeOf(offset: string): Pick<store.Page, 'after' | 'skip'> {
  const { skip, after } = readOffset(offset);
  if (after === undefined) return { skip, after: undefined };
  const [instant = '', id = ''] = after.split(' ');
  const at = new Date(instant);
  if (Number.isNaN(at.getTime()) || !isId(id)) throw invalid('offset', 'Invalid offset');
  return { skip, after: { at, id } };
}

export async function listDrafts(
  ctx: Context,
  actor: Actor,
  { limit, offset, state }: QueryOf<typeof listDraftsRoute>,
): Promise<AnswerOf<typeof listDraftsRoute>> {
  const page = { ...placeOf(offset), limit: limit + 1 };
  const [rows, totalCount] = await Promise.all([
    store.listDrafts(ctx.db, actor.userId, state, page),
    store.countDrafts(ctx.db, actor.userId, state),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const place = last && `${(last.scheduled_at ?? last.updated_at).toISOString()} ${last.id}`;
  return {
    data: await presentDrafts(ctx.db, actor.userId, shown),
    limit,
    totalCount,
    ...(rows.length > limit && place ? { nextOffset: cursorOf(place) } : {}),
  };
}

/** Throws NOT_FOUND, CONFLICT if no media are ready. */
export async function previewDraft(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<AnswerOf<typeof previewDraftRoute>> {
  const row = await accessDraft(ctx.db, actor, id);
  const ids = row.media.map((medium) => medium.id);
  const ready = new Set<string>();
  for (const medium of await readOwnMedia(ctx.db, actor.userId, ids))
    if (medium.status === 'ready') ready.add(medium.id);
  const media = row.media.filter((medium) => ready.has(medium.id));
  if (media.length === 0)
    throw new AppError('CONFLICT', { message: 'No preview yet. The files are still processing.' });
  const { caption, price_cents: priceCents, tags, people } = row;
  const content = { id: row.id, creatorId: actor.userId, caption, priceCents, media, tags, people };
  return previewContent(ctx, content);
}
