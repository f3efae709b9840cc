import type { UserType } from '@stagedoor/contract/accounts.ts';
import { asCents, formatCents } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, BodyOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type countNotifications,
  type listNotifications,
  notificationsChanged,
  type readNotifications,
} from '@stagedoor/contract/notifications.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { cursorOf, readIdOffset } from '../../kernel/offset.ts';
import { hiddenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople, type Person } from '../accounts/index.ts';
import { postsStatement, presentPost, readPosts } from '../posts/index.ts';
import { GATHERED, KINDS, PAID } from './kinds.ts';
import * as store from './store.ts';

const POSTS = postsStatement('notifications-posts', 'select unnest($2::uuid[]) as id');
const FACES = 3;

async function titlesOf(db: Executor, rows: readonly store.LineRow[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ subjectId }) => subjectId ?? []);
  if (ids.length === 0) return new Map();
  return new Map((await readPosts(db, POSTS, [null, ids])).map((row) => [row.id, presentPost(row).title]));
}

type Side = 'fan' | 'creator';
export type Line = AnswerOf<typeof listNotifications>['data'][number];

/** A row with a kind of another release is left out. */
function presentLine(
  row: store.LineRow,
  { people, titles, side }: { people: Map<string, Person>; titles: Map<string, string>; side: Side },
): Line[] {
  const kind = KINDS[row.kind];
  if (!kind) return [];
  const by = [...new Set(row.byIds)].flatMap((id) => people.get(id) ?? []);
  const {
    text,
    detail = '',
    href,
  } = kind.words({
    ...{ count: row.count, byCount: row.byCount, by: by[0], side },
    ...{ subjectId: row.subjectId, note: row.note, sum: row.cents === null ? '' : formatCents(asCents(row.cents)) },
    title: row.subjectId === null ? undefined : titles.get(row.subjectId),
  });
  return [
    {
      ...{ id: row.id, firstId: row.firstId, kind: row.kind, icon: kind.icon, isUnread: row.isUnread },
      at: row.at.toISOString(),
      people: kind.isNamed ? by.slice(0, FACES).map(({ name, avatarUrl }) => ({ name, avatarUrl })) : [],
      peopleCount: kind.isNamed ? row.byCount : 0,
      ...{ text, detail, href },
    },
  ];
}

export async function presentRows(db: Executor, rows: readonly store.LineRow[], type: UserType): Promise<Line[]> {
  const [people, titles] = await Promise.all([
    findPeople(
      db,
      rows.flatMap(({ byIds }) => byIds ?? []),
    ),
    titlesOf(db, rows),
  ]);
  return rows.flatMap((row) => presentLine(row, { people, titles, side: type === 'creator' ? 'creator' : 'fan' }));
}

/** Notifications about creators who are geo-blocked here are hidden, except about purchases. */
const unseenHere = (): store.Unseen => ({ byIds: hiddenHere(), butKinds: PAID });

export async function viewLines(
  ctx: Context,
  actor: Actor,
  { offset, tab }: QueryOf<typeof listNotifications>,
): Promise<AnswerOf<typeof listNotifications>> {
  const { before } = readIdOffset(offset);
  const how = { before, gathered: GATHERED, isAll: tab === 'all', unseen: unseenHere() };
  const rows = await store.readLines(ctx.db, actor.userId, how);
  const [oldest] = rows.map(({ firstId }) => firstId).toSorted();
  const data = await presentRows(ctx.db, rows, actor.type);
  return { data, ...(rows[0]?.hasMore && oldest !== undefined && { nextOffset: cursorOf(oldest) }) };
}

/** Returns what is unread of some kinds since an instant and was in no digest, and marks it as digested. */
export async function takeMissedLines(
  tx: Transaction,
  { id, type }: { id: string; type: UserType },
  { kinds, since, now }: { kinds: readonly string[]; since: Date; now: Date },
): Promise<Line[]> {
  return presentRows(
    tx,
    await store.takeMissed(tx, id, { kinds, gathered: GATHERED, since, butKinds: PAID, now }),
    type,
  );
}

export async function viewCount(ctx: Context, actor: Actor): Promise<AnswerOf<typeof countNotifications>> {
  return { count: await store.countUnread(ctx.db, actor.userId, GATHERED, unseenHere()) };
}

export async function readUpTo(ctx: Pick<Context, 'db' | 'clock'>, userId: string, upTo: string): Promise<void> {
  await store.markRead(ctx.db, userId, { upTo, line: undefined, now: ctx.clock.now() });
}

export async function read(
  ctx: Context,
  actor: Actor,
  { upTo, line }: BodyOf<typeof readNotifications>,
): Promise<AnswerOf<typeof readNotifications>> {
  const hasChanged = await store.markRead(ctx.db, actor.userId, { upTo, line, now: ctx.clock.now() });
  if (hasChanged) ctx.realtime.toUser(actor.userId, notificationsChanged, {});
  return viewCount(ctx, actor);
}
