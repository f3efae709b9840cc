import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import {
  type countUnreadNotifications,
  type listNotifications,
  type markNotificationsRead,
  notificationsChanged,
} from '@stagedoor/contract/notifications/notifications.ts';
import { asCents, formatCents } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { parseIdOffset, toCursor } from '../../../platform/database/pagination.ts';
import { listGeoBlockedIds } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { createPostsStatement, presentPost, queryPosts } from '../../content/posts/index.ts';
import { findUserSummaries, type UserSummary } from '../../identity/accounts/index.ts';
import { GROUPED_KINDS, NOTIFICATION_KINDS, PAID_KINDS } from './kinds.ts';
import * as store from './store.ts';

const LOAD_POSTS = createPostsStatement('notifications-posts', 'select unnest($2::uuid[]) as id');
const MAX_SHOWN_USERS = 3;

async function loadPostTitles(db: Executor, rows: readonly store.GroupRow[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ subjectId }) => subjectId ?? []);
  if (ids.length === 0) return new Map();
  return new Map((await queryPosts(db, LOAD_POSTS, [null, ids])).map((row) => [row.id, presentPost(row).title]));
}

type Side = 'fan' | 'creator';
export type GroupView = ResponseInputOf<typeof listNotifications>['data'][number];

/** A row with a kind of another release is left out. */
function presentGroup(
  row: store.GroupRow,
  { users, titles, side }: { users: Map<string, UserSummary>; titles: Map<string, string>; side: Side },
): GroupView[] {
  const kind = NOTIFICATION_KINDS[row.kind];
  if (!kind) return [];
  const actors = [...new Set(row.byIds)].flatMap((id) => users.get(id) ?? []);
  const {
    text,
    detail = '',
    href,
  } = kind.format({
    ...{ count: row.count, byCount: row.byCount, actor: actors[0], side },
    ...{ subjectId: row.subjectId, note: row.note, sum: row.cents === null ? '' : formatCents(asCents(row.cents)) },
    title: row.subjectId === null ? undefined : titles.get(row.subjectId),
  });
  return [
    {
      ...{ id: row.id, firstId: row.firstId, kind: row.kind, icon: kind.icon, isUnread: row.isUnread },
      at: row.at.toISOString(),
      users: kind.hasUserPrefix
        ? actors.slice(0, MAX_SHOWN_USERS).map(({ name, avatarUrl }) => ({ name, avatarUrl }))
        : [],
      userCount: kind.hasUserPrefix ? row.byCount : 0,
      ...{ text, detail, href },
    },
  ];
}

export async function presentGroups(
  db: Executor,
  rows: readonly store.GroupRow[],
  type: UserType,
): Promise<GroupView[]> {
  const [users, titles] = await Promise.all([
    findUserSummaries(
      db,
      rows.flatMap(({ byIds }) => byIds ?? []),
    ),
    loadPostTitles(db, rows),
  ]);
  return rows.flatMap((row) => presentGroup(row, { users, titles, side: type === 'creator' ? 'creator' : 'fan' }));
}

export type SingleNotification = Pick<store.GroupRow, 'id' | 'kind' | 'at' | 'subjectId' | 'cents' | 'note'> & {
  byId: string | null;
};

/** Presents a notification as an entry of its own. Returns undefined for a kind of another release. */
export async function presentNotification(
  db: Executor,
  { byId, ...notification }: SingleNotification,
  type: UserType,
): Promise<GroupView | undefined> {
  const row = { ...notification, firstId: notification.id, isUnread: true, count: 1, hasMore: false };
  const by = { byCount: byId === null ? 0 : 1, byIds: byId === null ? null : [byId] };
  return (await presentGroups(db, [{ ...row, ...by }], type))[0];
}

/** Includes notifications about geo-blocked creators, because the badge of a push knows no location. */
export function countUnreadGroups(db: Executor, userId: string): Promise<number> {
  return store.countUnread(db, userId, GROUPED_KINDS, { byIds: [], exceptKinds: PAID_KINDS });
}

/** Notifications about creators who are geo-blocked here are hidden, except about purchases. */
const getHiddenFilter = (): store.HiddenFilter => ({ byIds: listGeoBlockedIds(), exceptKinds: PAID_KINDS });

export async function viewGroups(
  ctx: Context,
  actor: Actor,
  { offset, tab }: QueryOf<typeof listNotifications>,
): Promise<ResponseInputOf<typeof listNotifications>> {
  const { before } = parseIdOffset(offset);
  const options = { before, groupedKinds: GROUPED_KINDS, isAll: tab === 'all', hiddenFilter: getHiddenFilter() };
  const rows = await store.listGroups(ctx.db, actor.userId, options);
  const [oldest] = rows.map(({ firstId }) => firstId).toSorted();
  const data = await presentGroups(ctx.db, rows, actor.type);
  return { data, ...(rows[0]?.hasMore && oldest !== undefined && { nextOffset: toCursor(oldest) }) };
}

/** Returns what is unread of some kinds since an instant and was in no digest, and marks it as digested. */
export async function claimMissedGroups(
  tx: DbTransaction,
  { id, type }: { id: string; type: UserType },
  { kinds, since, now }: { kinds: readonly string[]; since: Date; now: Date },
): Promise<GroupView[]> {
  return presentGroups(
    tx,
    await store.claimMissed(tx, id, { kinds, groupedKinds: GROUPED_KINDS, since, exceptKinds: PAID_KINDS, now }),
    type,
  );
}

export async function viewUnreadCount(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof countUnreadNotifications>> {
  return { count: await store.countUnread(ctx.db, actor.userId, GROUPED_KINDS, getHiddenFilter()) };
}

export async function markReadUpTo(ctx: Pick<Context, 'db' | 'clock'>, userId: string, upTo: string): Promise<void> {
  await store.markRead(ctx.db, userId, { upTo, group: undefined, now: ctx.clock.now() });
}

export async function markGroupsRead(
  ctx: Context,
  actor: Actor,
  { upTo, group }: BodyOf<typeof markNotificationsRead>,
): Promise<ResponseInputOf<typeof markNotificationsRead>> {
  const hasChanged = await store.markRead(ctx.db, actor.userId, { upTo, group, now: ctx.clock.now() });
  if (hasChanged) ctx.realtime.emitToUser(actor.userId, notificationsChanged, {});
  return viewUnreadCount(ctx, actor);
}
