/** Announcements are never edited, and each action is logged. */

import {
  ANNOUNCEMENT_DAYS,
  ANNOUNCEMENTS_MAX,
  adminAnnouncement,
  type createAnnouncement,
  type endAnnouncement,
  type listAnnouncements,
} from '@stagedoor/contract/admin/announcements.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement, Tables } from '../../../platform/database/db.ts';
import { claimIdempotencyKey } from '../../../platform/database/idempotency.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import { createId } from '../../../platform/ids.ts';
import type { ActiveAnnouncement } from '../../../platform/site-status.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { hashRequest } from '../../ledger/ledger/index.ts';
import * as texts from './texts.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Clocks differ, so a start meant for now may arrive as slightly past. */
const CLOCK_TOLERANCE_MS = 60_000;
type AnnouncementRow = Selectable<Tables['announcements']>;

/** Serializes writers, because each counts the existing ones first. */
const LOCK: SqlStatement = {
  name: 'announcements-lock',
  text: `select pg_advisory_xact_lock(hashtext('announcements'))`,
};

const selectCurrent = ({ query }: Executor, now: Date) =>
  query.selectFrom('announcements').where('ended_at', 'is', null).where('ends_at', '>', now);

/** Returns present and future ones. Important ones come first, then the newest. */
export async function listActiveAnnouncements(db: Executor, now: Date): Promise<readonly ActiveAnnouncement[]> {
  const rows = await selectCurrent(db, now).selectAll().orderBy('level').orderBy('id', 'desc').execute();
  return rows.map((row) => ({
    announcement: {
      ...{ id: row.id, title: row.title, text: row.text, level: parseLevel(row.level) },
      ...{ isDismissable: row.is_dismissable, until: row.ends_at.toISOString() },
    },
    audience: parseAudience(row.audience),
    from: row.begins_at,
    until: row.ends_at,
  }));
}
const parseLevel = (text: string) => z.parse(adminAnnouncement.shape.level, text);
const parseAudience = (text: string) => z.parse(adminAnnouncement.shape.audience, text);

async function present(db: Executor, rows: readonly AnnouncementRow[], now: Date) {
  const authorsById = await findUserSummaries(
    db,
    rows.map((row) => row.author_id),
  );
  return rows.map((row) => {
    const hasEnded = row.ended_at !== null || row.ends_at <= now;
    return {
      ...{ id: row.id, title: row.title, text: row.text, level: parseLevel(row.level) },
      ...{ isDismissable: row.is_dismissable, audience: parseAudience(row.audience) },
      ...{ from: row.begins_at.toISOString(), until: row.ends_at.toISOString() },
      state: hasEnded ? ('over' as const) : row.begins_at > now ? ('scheduled' as const) : ('on' as const),
      writtenAt: row.written_at.toISOString(),
      author: { id: row.author_id, username: authorsById.get(row.author_id)?.username ?? '' },
      endedAt: row.ended_at?.toISOString() ?? null,
    };
  });
}

export async function listAnnouncementPage(
  { db, clock }: Context,
  { limit, offset }: QueryOf<typeof listAnnouncements>,
): Promise<ResponseInputOf<typeof listAnnouncements>> {
  const { skip, before } = parseIdOffset(offset);
  const rows = await db.query
    .selectFrom('announcements')
    .selectAll()
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(skip)
    .execute();
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const data = await present(db, page, clock.now());
  return { data, limit, ...(rows.length > limit && last && { nextOffset: toCursor(last.id) }) };
}

async function getAnnouncement(
  { db, clock }: Context,
  id: string,
): Promise<ResponseInputOf<typeof createAnnouncement>> {
  const row = await db.query.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst();
  const [view] = row ? await present(db, [row], clock.now()) : [];
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

/** Throws VALIDATION for a time that is past, reversed or too long. */
function parsePeriod({ from, until }: BodyOf<typeof createAnnouncement>, now: Date): { begins: Date; ends: Date } {
  const begins = from === null ? now : new Date(from);
  const ends = new Date(until);
  if (begins.getTime() < now.getTime() - CLOCK_TOLERANCE_MS) throw createFieldError('from', texts.timeInPast);
  if (ends <= now || ends <= begins) throw createFieldError('until', texts.invalidEndTime);
  if (ends.getTime() - begins.getTime() > ANNOUNCEMENT_DAYS * DAY_MS)
    throw createFieldError('until', formatText(texts.announcementLengthLimit, { days: ANNOUNCEMENT_DAYS }));
  return { begins, ends };
}

async function insertAnnouncement(ctx: Context, tx: DbTransaction, row: AnnouncementRow): Promise<void> {
  await tx.run(LOCK, []);
  const { count } = await selectCurrent(tx, ctx.clock.now())
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= ANNOUNCEMENTS_MAX)
    throw new AppError('CONFLICT', {
      message: formatText(texts.announcementCountLimit, { maximum: ANNOUNCEMENTS_MAX }),
    });
  await tx.query.insertInto('announcements').values(row).execute();
  await tx.emit('announcement.changed', { announcementId: row.id });
  await logAction(ctx, tx, {
    operatorId: row.author_id,
    action: 'announcement.write',
    subjectKind: 'announcement',
    subjectId: row.id,
    details: {
      ...{ title: row.title, text: row.text, level: row.level, audience: row.audience },
      ...{ isDismissable: row.is_dismissable, from: row.begins_at.toISOString(), until: row.ends_at.toISOString() },
    },
  });
}

/**
 * Creates an announcement. Idempotent by operation id. Throws VALIDATION for its times, CONFLICT when there are too
 * many.
 */
export async function publishAnnouncement(
  ctx: Context,
  operatorId: string,
  body: BodyOf<typeof createAnnouncement>,
  operationId: string,
): Promise<ResponseInputOf<typeof createAnnouncement>> {
  const id = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const announcementId = createId(ctx.clock);
    const requestHash = hashRequest({ announce: body });
    const earlier = await claimIdempotencyKey(tx, {
      actorId: operatorId,
      operationId,
      requestHash,
      subjectId: announcementId,
    });
    if (earlier !== undefined) return earlier;
    const { begins, ends } = parsePeriod(body, now);
    await insertAnnouncement(ctx, tx, {
      ...{ id: announcementId, title: body.title, text: body.text, level: body.level, audience: body.audience },
      ...{ is_dismissable: body.isDismissable, begins_at: begins, ends_at: ends, ended_at: null },
      ...{ written_at: now, author_id: operatorId },
    });
    return announcementId;
  });
  ctx.siteStatus.invalidate();
  return getAnnouncement(ctx, id);
}

/** Ends an announcement now. Throws NOT_FOUND, and CONFLICT if it is over. */
export async function endAnnouncementNow(
  ctx: Context,
  operatorId: string,
  id: string,
): Promise<ResponseInputOf<typeof endAnnouncement>> {
  await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const row = await tx.query
      .selectFrom('announcements')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new AppError('NOT_FOUND');
    if (row.ended_at !== null || row.ends_at <= now)
      throw new AppError('CONFLICT', { message: texts.announcementAlreadyEnded });
    await tx.query.updateTable('announcements').set({ ended_at: now }).where('id', '=', id).execute();
    await tx.emit('announcement.changed', { announcementId: id });
    await logAction(ctx, tx, {
      ...{ operatorId, action: 'announcement.end', subjectKind: 'announcement', subjectId: id },
      details: { title: row.title, until: row.ends_at.toISOString() },
    });
  });
  ctx.siteStatus.invalidate();
  return getAnnouncement(ctx, id);
}
