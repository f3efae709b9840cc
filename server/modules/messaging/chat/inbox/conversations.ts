import type {
  countUnreadMessages,
  getConversation,
  getConversationInfo,
  getConversationList,
} from '@stagedoor/contract/messaging/chat.ts';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../../platform/database/db.ts';
import { parseOffset, toCursor } from '../../../../platform/database/pagination.ts';
import { isGeoBlocked, listGeoBlockedIds, requireNotGeoBlocked } from '../../../../platform/geo.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { isSubscriber } from '../../../content/subscriptions/index.ts';
import { findUser, findUserSummaries } from '../../../identity/accounts/index.ts';
import { accessConversation, getChatSide, isHiddenByBlock } from '../access.ts';
import { deliverAllBroadcasts } from '../live/emit.ts';
import { type ConversationView, presentConversation } from '../present.ts';
import { type ConversationRow, conversationsStatement, findConversationByPair, findConversationRow } from '../rows.ts';
import * as texts from '../texts.ts';
import { isNoteAllowed } from './settings.ts';

type ConversationTab = QueryOf<typeof getConversationList>['tab'];

const CONDITIONS: Record<ChatSide, Record<ConversationTab, string>> = {
  creator: {
    chat: "state = 'open' and creator_listed_at is not null",
    unread: "state = 'open' and creator_listed_at is not null and creator_unread > 0",
    requests: "state = 'requested' and creator_listed_at is not null",
  },
  fan: { chat: 'fan_listed_at is not null', unread: 'fan_listed_at is not null and fan_unread > 0', requests: 'false' },
};
const pageSql = (side: ChatSide, tab: ConversationTab) =>
  `select id from conversations where ${side}_id = $1 and ${CONDITIONS[side][tab]} and (${side}_listed_at, id) < ($2::timestamptz, $3::uuid)
   order by ${side}_listed_at desc, id desc offset $4 limit $5`;
const MAX_SEARCHED = 5_000;
const searchSql = (side: ChatSide, tab: ConversationTab) =>
  `select s.id from (select id, ${side}_listed_at, ${side === 'creator' ? 'fan_id' : 'creator_id'} as other_id from conversations where ${side}_id = $1
     and ${CONDITIONS[side][tab]} and (${side}_listed_at, id) < ($2::timestamptz, $3::uuid) order by ${side}_listed_at desc, id desc limit ${MAX_SEARCHED}) s
   join users u on u.id = s.other_id where unaccent_lower(u.name) like (select unaccent_lower($6)) or (has_unspaced_script($6) and replace(unaccent_lower(u.name), ' ', '') like (select replace(unaccent_lower($6), ' ', ''))) or unaccent_lower(u.username::text) like (select unaccent_lower($6))
   order by s.${side}_listed_at desc, s.id desc offset $4 limit $5`;

const createTabStatements = (
  side: ChatSide,
  select: typeof pageSql,
  name: string,
): Record<ConversationTab, SqlStatement> => ({
  chat: conversationsStatement(`${name}-chat`, side, select(side, 'chat')),
  unread: conversationsStatement(`${name}-unread`, side, select(side, 'unread')),
  requests: conversationsStatement(`${name}-requests`, side, select(side, 'requests')),
});
const LIST_STATEMENTS = {
  creator: createTabStatements('creator', pageSql, 'chat-list'),
  fan: createTabStatements('fan', pageSql, 'chat-list'),
};
const SEARCH_STATEMENTS = {
  creator: createTabStatements('creator', searchSql, 'chat-find'),
  fan: createTabStatements('fan', searchSql, 'chat-find'),
};

const START_POSITION = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Throws VALIDATION for an invalid cursor. */
function parsePosition(after: string | undefined): typeof START_POSITION {
  if (after === undefined) return START_POSITION;
  const [ms = '', id = ''] = after.split('_', 2);
  if (!/^\d{1,14}$/.test(ms) || !isId(id)) throw createFieldError('offset', texts.invalidOffset);
  return { at: new Date(Number(ms)).toISOString(), id };
}

export function presentConversationRow(ctx: Context, row: ConversationRow, side: ChatSide): ConversationView {
  return presentConversation(ctx, row, side, CHAT_LIMITS.declinedDays);
}

/** Pending broadcasts are delivered to a fan first. */
export async function listConversations(
  ctx: Context,
  actor: Actor,
  { limit, offset, tab, search: searchText }: QueryOf<typeof getConversationList>,
): Promise<ResponseInputOf<typeof getConversationList>> {
  const side = getChatSide(actor);
  const { skip, after } = parseOffset(offset);
  const position = parsePosition(after);
  if (side === 'fan' && skip === 0 && after === undefined) await deliverAllBroadcasts(ctx, actor.userId);
  const values: unknown[] = [actor.userId, position.at, position.id, skip, limit + 1];
  if (searchText !== '') values.push(`%${searchText.normalize('NFKC').replace(/[\\%_]/g, '\\$&')}%`);
  const statement = (searchText === '' ? LIST_STATEMENTS : SEARCH_STATEMENTS)[side][tab];
  const rows = await ctx.db.run<ConversationRow>(statement, values);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const at = last && (side === 'creator' ? last.creator_listed_at : last.fan_listed_at);
  return {
    data: shown.filter((row) => !isGeoBlocked(row.creator_id)).map((row) => presentConversationRow(ctx, row, side)),
    limit,
    ...(rows.length > limit && last && at ? { nextOffset: toCursor(`${at.getTime()}_${last.id}`) } : {}),
  };
}

/** Throws NOT_FOUND for other users' conversations. */
export async function viewConversation(ctx: Context, actor: Actor, id: string): Promise<ConversationView> {
  const side = getChatSide(actor);
  const row = await findConversationRow(ctx.db, side, id);
  if (!row || row[`${side}_id`] !== actor.userId) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(row.creator_id);
  return presentConversationRow(ctx, row, side);
}

/** Throws NOT_FOUND. */
export async function loadConversation(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ResponseInputOf<typeof getConversation>> {
  const side = getChatSide(actor);
  const conversation = await accessConversation(ctx.db, actor, id);
  const isAllowNote = isNoteAllowed(ctx, side);
  const note = side === 'creator' ? conversation.creator_note : conversation.fan_note;
  return { success: true, data: await viewConversation(ctx, actor, id), isAllowNote, note: isAllowNote ? note : null };
}

const FIND_RULE: SqlStatement = {
  name: 'chat-may-begin',
  text: `select c.chat_rule as rule, c.chat_tier_id as tier_id, exists (select from follows f where f.fan_id = $1 and f.creator_id = $2) as is_follower,
    exists (select from fan_creator_relations o where o.fan_id = $1 and o.creator_id = $2) as has_relation from creators c where c.user_id = $2`,
};

type StartRule = { rule: string; tier_id: string | null; is_follower: boolean; has_relation: boolean };

/** Why a fan may not begin a conversation, as in `chat_send`. */
async function findStartRefusal(
  db: Executor,
  pair: { fanId: string; creatorId: string },
  { rule, tier_id: tierId, is_follower: isFollower }: StartRule,
): Promise<'followers' | 'subscribers' | null> {
  if (rule === 'followers' && !isFollower) return rule;
  return rule === 'subscribers' && !(await isSubscriber(db, { ...pair, tierId })) ? rule : null;
}

/** Throws NOT_FOUND for users who cannot be written to. */
export async function loadConversationInfo(
  ctx: Context,
  actor: Actor,
  otherId: string,
): Promise<ResponseInputOf<typeof getConversationInfo>> {
  const side = getChatSide(actor);
  const user = await findUser(ctx.db, otherId);
  const other = (await findUserSummaries(ctx.db, [otherId])).get(otherId);
  if (!user || !other || other.type !== (side === 'creator' ? 'customer' : 'creator')) throw new AppError('NOT_FOUND');
  const [fanId, creatorId] = side === 'creator' ? [otherId, actor.userId] : [actor.userId, otherId];
  requireNotGeoBlocked(creatorId);
  const { id, username, name, avatarUrl } = other;
  const otherUser = { id, username, name, avatarUrl };
  const conversation = await findConversationByPair(ctx.db, fanId, creatorId);
  if (conversation && isHiddenByBlock(conversation, side)) throw new AppError('NOT_FOUND');
  if (conversation) {
    const data = await viewConversation(ctx, actor, conversation.id);
    const isRequest = side === 'fan' && conversation.state !== 'open';
    return {
      conversationId: data.id,
      data,
      otherUser,
      canSend: data.info.canSend,
      isRequest,
      refusal: data.info.refusal,
    };
  }
  const [rule] = await ctx.db.run<StartRule>(FIND_RULE, [fanId, creatorId]);
  if (!rule || user.is_blocked) throw new AppError('NOT_FOUND');
  if (side === 'creator' && !rule.is_follower && !rule.has_relation) throw new AppError('NOT_FOUND');
  const refusal = side === 'fan' ? await findStartRefusal(ctx.db, { fanId, creatorId }, rule) : null;
  return {
    conversationId: null,
    data: null,
    otherUser,
    canSend: refusal === null,
    isRequest: side === 'fan' && rule.rule === 'request',
    refusal,
  };
}

const createUnreadStatement = (side: ChatSide): SqlStatement => ({
  name: `chat-unread-${side}`,
  text: `select coalesce(sum(n), 0)::int as count, coalesce(sum(n) filter (where not is_muted), 0)::int as unmuted, count(*)::int as conversations,
    ${side === 'creator' ? `(select count(*)::int from (select from conversations where ${CONDITIONS.creator.requests} and creator_id = $1 limit $2) q)` : '0'} as requests
    from (select ${side}_unread as n, is_muted_by_${side} as is_muted from conversations where ${side}_id = $1 and ${CONDITIONS[side].unread} and creator_id <> all ($3::uuid[]) order by ${side}_listed_at desc, id desc limit $2) u`,
});
const UNREAD_STATEMENTS = { creator: createUnreadStatement('creator'), fan: createUnreadStatement('fan') };

type UnreadCounts = { count: number; unmuted: number; conversations: number; requests: number };

async function getUnreadCounts(
  db: Executor,
  userId: string,
  side: ChatSide,
  blockedIds: readonly string[],
): Promise<UnreadCounts> {
  const [row] = await db.run<UnreadCounts>(UNREAD_STATEMENTS[side], [
    userId,
    CHAT_LIMITS.unreadCountMax + 1,
    blockedIds,
  ]);
  return row ?? { count: 0, unmuted: 0, conversations: 0, requests: 0 };
}

/** Regardless of geo-blocks. This is the number on the app icon. */
export async function countUnmuted(db: Executor, userId: string, side: ChatSide): Promise<number> {
  return (await getUnreadCounts(db, userId, side, [])).unmuted;
}

export async function viewUnreadCounts(
  ctx: Context,
  actor: Actor,
): Promise<ResponseInputOf<typeof countUnreadMessages>> {
  const side = getChatSide(actor);
  if (side === 'fan') await deliverAllBroadcasts(ctx, actor.userId);
  const { count, unmuted, conversations, requests } = await getUnreadCounts(
    ctx.db,
    actor.userId,
    side,
    listGeoBlockedIds(),
  );
  const max = CHAT_LIMITS.unreadCountMax;
  return {
    count,
    unmutedCount: unmuted,
    conversationCount: Math.min(conversations, max),
    isMore: conversations > max,
    requestCount: Math.min(requests, max),
  };
}

export async function deliverBroadcastsInto(
  ctx: Context,
  conversation: { creator_id: string; fan_id: string; is_behind: boolean },
): Promise<void> {
  if (!conversation.is_behind) return;
  await ctx.db.run(DELIVER_BROADCASTS, [
    conversation.creator_id,
    conversation.fan_id,
    CHAT_LIMITS.broadcastsForReturningFan,
    ctx.clock.now(),
  ]);
}
const DELIVER_BROADCASTS: SqlStatement = {
  name: 'chat-deliver',
  text: 'select chat_deliver_broadcasts($1, $2, $3, $4) as id',
};

const createUnreadSinceStatement = (side: ChatSide): SqlStatement => ({
  name: `chat-unread-since-${side}`,
  text: `select coalesce(sum(${side}_unread), 0)::int as count from conversations
    where ${side}_id = $1 and ${CONDITIONS[side].unread} and ${side}_listed_at > $2 and ${side}_listed_at <= $3 and not is_muted_by_${side}`,
});
const UNREAD_SINCE_STATEMENTS = {
  creator: createUnreadSinceStatement('creator'),
  fan: createUnreadSinceStatement('fan'),
};

export async function countUnreadSince(
  db: Executor,
  userId: string,
  side: ChatSide,
  { after, until }: { after: Date; until: Date },
): Promise<number> {
  return (await db.run<{ count: number }>(UNREAD_SINCE_STATEMENTS[side], [userId, after, until]))[0]?.count ?? 0;
}
