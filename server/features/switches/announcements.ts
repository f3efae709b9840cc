/** Announcements are never edited, and each action is logged. */

import {
  ANNOUNCEMENT_DAYS,
  ANNOUNCEMENTS_AT_ONCE,
  type announce,
  deskAnnouncement,
  type endAnnouncement,
  type listAnnouncements,
} from '@stagedoor/contract/announcements-desk.ts';
import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement, Tables, Transaction } from '../../kernel/db.ts';
import { newId } from '../../kernel/ids.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import { claimOperation } from '../../kernel/operations.ts';
import type { Announced } from '../../kernel/switches.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { hashRequest } from '../ledger/index.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Clocks differ, so a start meant for now may arrive as slightly past. */
const SLACK_MS = 60_000;
type Row = Selectable<Tables['announcements']>;

/** Serializes writers, because each counts the existing ones first. */
const LOCK: Statement = { name: 'announcements-lock', text: `select pg_advisory_xact_lock(hashtext('announcements'))` };

const toCome = ({ query }: Executor, now: Date) =>
  query.selectFrom('announcements').where('ended_at', 'is', null).where('ends_at', '>', now);

/** Returns present and future ones. Important ones come first, then the newest. */
export async function readAnnounced(db: Executor, now: Date): Promise<readonly Announced[]> {
  const rows = await toCome(db, now).selectAll().orderBy('level').orderBy('id', 'desc').execute();
  return rows.map((row) => ({
    announcement: {
      ...{ id: row.id, title: row.title, text: row.text, level: levelOf(row.level) },
      ...{ isDismissable: row.is_dismissable, until: row.ends_at.toISOString() },
    },
    audience: audienceOf(row.audience),
    from: row.begins_at,
    until: row.ends_at,
  }));
}
const levelOf = (text: string) => z.parse(deskAnnouncement.shape.level, text);
const audienceOf = (text: string) => z.parse(deskAnnouncement.shape.audience, text);

async function present(db: Executor, rows: readonly Row[], now: Date) {
  const people = await findPeople(
    db,
    rows.map((row) => row.author_id),
  );
  return rows.map((row) => {
    const isOver = row.ended_at !== null || row.ends_at <= now;
    return {
      ...{ id: row.id, title: row.title, text: row.text, level: levelOf(row.level) },
      ...{ isDismissable: row.is_dismissable, audience: audienceOf(row.audience) },
      ...{ from: row.begins_at.toISOString(), until: row.ends_at.toISOString() },
      state: isOver ? ('over' as const) : row.begins_at > now ? ('coming' as const) : ('on' as const),
      writtenAt: row.written_at.toISOString(),
      author: { id: row.author_id, username: people.get(row.author_id)?.username ?? '' },
      endedAt: row.ended_at?.toISOString() ?? null,
    };
  });
}

export async function viewAnnouncements(
  { db, clock }: Context,
  { limit, offset }: QueryOf<typeof listAnnouncements>,
): Promise<AnswerOf<typeof listAnnouncements>> {
  const { skip, before } = readIdOffset(offset);
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
  return { data, limit, ...(rows.length > limit && last && { nextOffset: cursorOf(last.id) }) };
}

async function viewOne({ db, clock }: Context, id: string): Promise<AnswerOf<typeof announce>> {
  const row = await db.query.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst();
  const [view] = row ? await present(db, [row], clock.now()) : [];
  if (!view) throw new AppError('NOT_FOUND');
  return view;
}

/** Throws VALIDATION for a time that is past, reversed or too long. */
function termOf({ from, until }: BodyOf<typeof announce>, now: Date): { begins: Date; ends: Date } {
  const begins = from === null ? now : new Date(from);
  const ends = new Date(until);
  if (begins.getTime() < now.getTime() - SLACK_MS) throw invalid('from', 'This time is in the past.');
  if (ends <= now || ends <= begins) throw invalid('until', 'The end must be in the future and after the start.');
  if (ends.getTime() - begins.getTime() > ANNOUNCEMENT_DAYS * DAY_MS)
    throw invalid('until', `At most ${ANNOUNCEMENT_DAYS} days.`);
  return { begins, ends };
}

async function write(ctx: Context, tx: Transaction, row: Row): Promise<void> {
  await tx.run(LOCK, []);
  const { count } = await toCome(tx, ctx.clock.now())
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= ANNOUNCEMENTS_AT_ONCE)
    throw new AppError('CONFLICT', {
      message: `${ANNOUNCEMENTS_AT_ONCE} stand or wait already: end one of them first.`,
    });
  await tx.query.insertInto('announcements').values(row).execute();
  await tx.emit('announcement.changed', { announcementId: row.id });
  await noteAct(ctx, tx, {
    operatorId: row.author_id,
    act: 'announcement.write',
    subjectKind: 'announcement',
    subjectId: row.id,
    facts: {
      ...{ title: row.title, text: row.text, level: row.level, audience: row.audience },
      ...{ isDismissable: row.is_dismissable, from: row.begins_at.toISOString(), until: row.ends_at.toISOString() },
    },
  });
}

/**
 * Creates an announcement. Idempotent by operation id. Throws VALIDATION for its times, CONFLICT when there are too
 * many.
 */
export async function writeAnnouncement(
  ctx: Context,
  operatorId: string,
  body: BodyOf<typeof announce>,
  operationId: string,
): Promise<AnswerOf<typeof announce>> {
  const id = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    const made = newId(ctx.clock);
    const requestHash = hashRequest({ announce: body });
    const earlier = await claimOperation(tx, { actorId: operatorId, operationId, requestHash, subjectId: made });
    if (earlier !== undefined) return earlier;
    const { begins, ends } = termOf(body, now);
    await write(ctx, tx, {
      ...{ id: made, title: body.title, text: body.text, level: body.level, audience: body.audience },
      ...{ is_dismissable: body.isDismissable, begins_at: begins, ends_at: ends, ended_at: null },
      ...{ written_at: now, author_id: operatorId },
    });
    return made;
  });
  ctx.switches.forget();
  return viewOne(ctx, id);
}

/** Ends an announcement now. Throws NOT_FOUND, and CONFLICT if it is over. */
export async function endAnnouncementNow(
  ctx: Context,
  operatorId: string,
  id: string,
): Promise<AnswerOf<typeof endAnnouncement>> {
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
      throw new AppError('CONFLICT', { message: 'This announcement has already ended.' });
    await tx.query.updateTable('announcements').set({ ended_at: now }).where('id', '=', id).execute();
    await tx.emit('announcement.changed', { announcementId: id });
    await noteAct(ctx, tx, {
      ...{ operatorId, act: 'announcement.end', subjectKind: 'announcement', subjectId: id },
      facts: { title: row.title, until: row.ends_at.toISOString() },
    });
  });
  ctx.switches.forget();
  return viewOne(ctx, id);
}
