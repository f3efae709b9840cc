import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { conversationInfo, conversationList, getConversation, unreadCount } from '@stagedoor/contract/chat.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement } from '../../../kernel/db.ts';
import { cursorOf, readOffset } from '../../../kernel/offset.ts';
import { hiddenHere, isHiddenHere, requireSeenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { findPeople, findUser } from '../../accounts/index.ts';
import { accessConversation, isSilentlyApart, sideOf } from '../access.ts';
import { catchUp } from '../live/tell.ts';
import { type ConversationView, presentConversation } from '../present.ts';
import { type ConversationRow, conversationsStatement, findPair, readConversation } from '../rows.ts';
import { isNoteAllowed } from './settings.ts';

type Tab = QueryOf<typeof conversationList>['tab'];

const CONDITIONS: Record<Side, Record<Tab, string>> = {
  creator: {
    chat: "state = 'open' and creator_at is not null",
    unread: "state = 'open' and creator_at is not null and creator_unread > 0",
    requests: "state = 'requested' and creator_at is not null",
  },
  fan: { chat: 'fan_at is not null', unread: 'fan_at is not null and fan_unread > 0', requests: 'false' },
};
const page = (side: Side, tab: Tab) =>
  `select id from conversations where ${side}_id = $1 and ${CONDITIONS[side][tab]} and (${side}_at, id) < ($2::timestamptz, $3::uuid)
   order by ${side}_at desc, id desc offset $4 limit $5`;
const SEARCHED = 5_000;
const search = (side: Side, tab: Tab) =>
  `select s.id from (select id, ${side}_at, ${side === 'creator' ? 'fan_id' : 'creator_id'} as other_id from conversations where ${side}_id = $1
     and ${CONDITIONS[side][tab]} and (${side}_at, id) < ($2::timestamptz, $3::uuid) order by ${side}_at desc, id desc limit ${SEARCHED}) s
   join users u on u.id = s.other_id where plain(u.name) like (select plain($6)) or plain(u.username::text) like (select plain($6))
   order by s.${side}_at desc, s.id desc offset $4 limit $5`;

const tabs = (side: Side, select: typeof page, name: string): Record<Tab, Statement> => ({
  chat: conversationsStatement(`${name}-chat`, side, select(side, 'chat')),
  unread: conversationsStatement(`${name}-unread`, side, select(side, 'unread')),
  requests: conversationsStatement(`${name}-requests`, side, select(side, 'requests')),
});
const LISTS = { creator: tabs('creator', page, 'chat-list'), fan: tabs('fan', page, 'chat-list') };
const SEARCHES = { creator: tabs('creator', search, 'chat-find'), fan: tabs('fan', search, 'chat-find') };

const LAST = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Throws VALIDATION for an invalid cursor. */
function placeOf(after: string | undefined): typeof LAST {
  if (after === undefined) return LAST;
  const [ms = '', id = ''] = after.split('_', 2);
  if (!/^\d{1,14}$/.test(ms) || !isId(id)) throw invalid('offset', 'Invalid offset');
  return { at: new Date(Number(ms)).toISOString(), id };
}

export function view(ctx: Context, row: ConversationRow, side: Side): ConversationView {
  return presentConversation(ctx, row, side, CHAT_LIMITS.declinedDays);
}

/** Pending broadcasts are delivered to a fan first. */
export async function listConversations(
  ctx: Context,
  actor: Actor,
  { limit, offset, tab, search: words }: QueryOf<typeof conversationList>,
): Promise<AnswerOf<typeof conversationList>> {
  const side = sideOf(actor);
  const { skip, after } = readOffset(offset);
  const place = placeOf(after);
  if (side === 'fan' && skip === 0 && after === undefined) await catchUp(ctx, actor.userId);
  const values: unknown[] = [actor.userId, place.at, place.id, skip, limit + 1];
  if (words !== '') values.push(`%${words.replace(/[\\%_]/g, '\\$&')}%`);
  const statement = (words === '' ? LISTS : SEARCHES)[side][tab];
  const rows = await ctx.db.run<ConversationRow>(statement, values);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const at = last && (side === 'creator' ? last.creator_at : last.fan_at);
  return {
    data: shown.filter((row) => !isHiddenHere(row.creator_id)).map((row) => view(ctx, row, side)),
    limit,
    ...(rows.length > limit && last && at ? { nextOffset: cursorOf(`${at.getTime()}_${last.id}`) } : {}),
  };
}

/** Throws NOT_FOUND for other users' conversations. */
export async function viewConversation(ctx: Context, actor: Actor, id: string): Promise<ConversationView> {
  const side = sideOf(actor);
  const row = await readConversation(ctx.db, side, id);
  if (!row || row[`${side}_id`] !== actor.userId) throw new AppError('NOT_FOUND');
  requireSeenHere(row.creator_id);
  return view(ctx, row, side);
}

/** Throws NOT_FOUND. */
export async function getOne(ctx: Context, actor: Actor, id: string): Promise<AnswerOf<typeof getConversation>> {
  const side = sideOf(actor);
  const facts = await accessConversation(ctx.db, actor, id);
  const isAllowNote = isNoteAllowed(ctx, side);
  const note = side === 'creator' ? facts.creator_note : facts.fan_note;
  return { success: true, data: await viewConversation(ctx, actor, id), isAllowNote, note: isAllowNote ? note : null };
}

const RULE: Statement = {
  name: 'chat-may-begin',
  text: `select c.chat_rule as rule, exists (select from follows f where f.fan_id = $1 and f.creator_id = $2) as is_follower,
    exists (select from chat_bonds o where o.fan_id = $1 and o.creator_id = $2) as is_bound from creators c where c.user_id = $2`,
};

/** Throws NOT_FOUND for users who cannot be written to. */
export async function infoOf(ctx: Context, actor: Actor, otherId: string): Promise<AnswerOf<typeof conversationInfo>> {
  const side = sideOf(actor);
  const user = await findUser(ctx.db, otherId);
  const other = (await findPeople(ctx.db, [otherId])).get(otherId);
  if (!user || !other || other.type !== (side === 'creator' ? 'customer' : 'creator')) throw new AppError('NOT_FOUND');
  const [fanId, creatorId] = side === 'creator' ? [otherId, actor.userId] : [actor.userId, otherId];
  requireSeenHere(creatorId);
  const { id, username, name, avatarUrl } = other;
  const person = { id, username, name, avatarUrl };
  const facts = await findPair(ctx.db, fanId, creatorId);
  if (facts && isSilentlyApart(facts, side)) throw new AppError('NOT_FOUND');
  if (facts) {
    const data = await viewConversation(ctx, actor, facts.id);
    const isRequest = side === 'fan' && facts.state !== 'open';
    return { conversationId: data.id, data, person, canSend: data.info.canSend, isRequest, refusal: data.info.refusal };
  }
  const [rule] = await ctx.db.run<{ rule: string; is_follower: boolean; is_bound: boolean }>(RULE, [fanId, creatorId]);
  if (!rule || user.is_blocked) throw new AppError('NOT_FOUND');
  if (side === 'creator' && !rule.is_follower && !rule.is_bound) throw new AppError('NOT_FOUND');
  const isRefused = side === 'fan' && rule.rule === 'followers' && !rule.is_follower;
  return {
    conversationId: null,
    data: null,
    person,
    canSend: !isRefused,
    isRequest: side === 'fan' && rule.rule === 'request',
    refusal: isRefused ? 'followers' : null,
  };
}

const unread = (side: Side): Statement => ({
  name: `chat-unread-${side}`,
  text: `select coalesce(sum(n), 0)::int as count, coalesce(sum(n) filter (where not is_muted), 0)::int as unmuted, count(*)::int as conversations,
    ${side === 'creator' ? `(select count(*)::int from (select from conversations where ${CONDITIONS.creator.requests} and creator_id = $1 limit $2) q)` : '0'} as requests
    from (select ${side}_unread as n, is_muted_by_${side} as is_muted from conversations where ${side}_id = $1 and ${CONDITIONS[side].unread} and creator_id <> all ($3::uuid[]) order by ${side}_at desc, id desc limit $2) u`,
});
const UNREAD = { creator: unread('creator'), fan: unread('fan') };

type Unread = { count: number; unmuted: number; conversations: number; requests: number };

async function readUnread(db: Executor, userId: string, side: Side, hidden: readonly string[]): Promise<Unread> {
  const [row] = await db.run<Unread>(UNREAD[side], [userId, CHAT_LIMITS.unreadCounted + 1, hidden]);
  return row ?? { count: 0, unmuted: 0, conversations: 0, requests: 0 };
}

/** Regardless of geo-blocks. This is the number on the app icon. */
export async function countUnmuted(db: Executor, userId: string, side: Side): Promise<number> {
  return (await readUnread(db, userId, side, [])).unmuted;
}

export async function countUnread(ctx: Context, actor: Actor): Promise<AnswerOf<typeof unreadCount>> {
  const side = sideOf(actor);
  if (side === 'fan') await catchUp(ctx, actor.userId);
  const { count, unmuted, conversations, requests } = await readUnread(ctx.db, actor.userId, side, hiddenHere());
  const most = CHAT_LIMITS.unreadCounted;
  return {
    count,
    unmutedCount: unmuted,
    conversationCount: Math.min(conversations, most),
    isMore: conversations > most,
    requestCount: Math.min(requests, most),
  };
}

export async function deliverInto(
  ctx: Context,
  facts: { creator_id: string; fan_id: string; is_behind: boolean },
): Promise<void> {
  if (!facts.is_behind) return;
  await ctx.db.run(DELIVER, [facts.creator_id, facts.fan_id, CHAT_LIMITS.broadcastsKept, ctx.clock.now()]);
}
const DELIVER: Statement = { name: 'chat-deliver', text: 'select chat_deliver($1, $2, $3, $4) as id' };

const unreadAfter = (side: Side): Statement => ({
  name: `chat-unread-since-${side}`,
  text: `select coalesce(sum(${side}_unread), 0)::int as count from conversations
    where ${side}_id = $1 and ${CONDITIONS[side].unread} and ${side}_at > $2 and ${side}_at <= $3 and not is_muted_by_${side}`,
});
const UNREAD_AFTER = { creator: unreadAfter('creator'), fan: unreadAfter('fan') };

export async function unreadSince(
  db: Executor,
  userId: string,
  side: Side,
  { after, until }: { after: Date; until: Date },
): Promise<number> {
  return (await db.run<{ count: number }>(UNREAD_AFTER[side], [userId, after, until]))[0]?.count ?? 0;
}
