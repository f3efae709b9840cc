import {
  BLOCKED_PAGE_SIZE,
  CHAT_RULES,
  type ChatSettings,
  type getChatSettings,
  type listBlockedUsers,
} from '@stagedoor/contract/messaging/chat-settings.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { isId } from '@stagedoor/contract/shared/ids.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Updateable } from 'kysely';
import type { Context } from '../../../../platform/context.ts';
import type { Executor, SqlStatement, Tables } from '../../../../platform/database/db.ts';
import { beforeIdSql, parseOffset, toCursor } from '../../../../platform/database/pagination.ts';
import type { EventPayload } from '../../../../platform/events/event-types.ts';
import { requireNotGeoBlocked } from '../../../../platform/geo.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { removeFollow } from '../../../content/follows/index.ts';
import { findSuccessorTierId, lockOwnTier } from '../../../content/subscription-tiers/index.ts';
import { toAvatarUrl, updateCreatorRow } from '../../../identity/accounts/index.ts';
import { setBlock } from '../../../identity/blocks/index.ts';
import { recheckWatching } from '../../../identity/presence/index.ts';
import { accessConversation, getChatSide, isHiddenByBlock, toRefusalError } from '../access.ts';
import '../events.ts';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { emitBlocked, emitConversationChanged, emitConversationDeleted } from '../live/emit.ts';
import { type FoundConversation, findConversationByPair } from '../rows.ts';
import * as texts from '../texts.ts';

export async function getChatRule(ctx: Context, actor: Actor): Promise<ResponseInputOf<typeof getChatSettings>> {
  const row = await ctx.db.query
    .selectFrom('creators')
    .select(['chat_rule', 'chat_tier_id'])
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return { rule: CHAT_RULES.find((rule) => rule === row.chat_rule) ?? 'request', tierId: row.chat_tier_id };
}

/** Conversations that exist are not affected. Throws VALIDATION for a deleted tier, as for one of another creator. */
export async function updateChatRule(
  ctx: Context,
  actor: Actor,
  { rule, tierId }: ChatSettings,
): Promise<ResponseInputOf<typeof getChatSettings>> {
  const ruleTierId = rule === 'subscribers' ? tierId : null;
  await ctx.db.transaction(async (tx) => {
    // In the order in which a tier is deleted: the creator before the tier.
    await tx.query
      .selectFrom('creators')
      .select('user_id')
      .where('user_id', '=', actor.userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (ruleTierId !== null && !(await lockOwnTier(tx, actor.userId, ruleTierId)))
      throw createFieldError('tierId', texts.tierGone);
    await updateCreatorRow(tx, actor.userId, { chat_rule: rule, chat_tier_id: ruleTierId });
  });
  return { rule, tierId: ruleTierId };
}

const FIND_RULES_OF_TIER: SqlStatement = {
  name: 'chat-rules-of-tier',
  text: 'select user_id as id from creators where user_id = $1 and chat_tier_id = $2 for no key update',
};
/** A chat that was open to a deleted tier and higher ones is open to the next higher one, or else to all subscribers. */
export async function replaceChatTier(ctx: Context, deleted: EventPayload<'subscriptionTier.deleted'>): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [creator] = await tx.run<{ id: string }>(FIND_RULES_OF_TIER, [deleted.creatorId, deleted.tierId]);
    if (creator) await updateCreatorRow(tx, creator.id, { chat_tier_id: await findSuccessorTierId(tx, deleted) });
  });
}

export function isNoteAllowed({ config }: Pick<Context, 'config'>, side: ChatSide): boolean {
  return side === 'creator' || config.hasFanNotes;
}

function updateConversation(db: Executor, id: string, values: Updateable<Tables['conversations']>) {
  return db.query
    .updateTable('conversations')
    .set(values)
    .where('id', '=', id)
    .returning(['id', 'revision', 'creator_id'])
    .executeTakeFirstOrThrow();
}

/** Throws NOT_FOUND, FORBIDDEN (notes are not allowed). */
export async function saveNote(ctx: Context, actor: Actor, id: string, note: string): Promise<string> {
  const side = getChatSide(actor);
  await accessConversation(ctx.db, actor, id);
  if (!isNoteAllowed(ctx, side)) throw new AppError('FORBIDDEN', { message: texts.onlyCreatorsCanAddNotes });
  const changed = await updateConversation(
    ctx.db,
    id,
    side === 'creator' ? { creator_note: note } : { fan_note: note },
  );
  emitConversationChanged(ctx, actor.userId, changed);
  return note;
}

/** Mutes or unmutes for the actor only. Throws NOT_FOUND. */
export async function setConversationMuted(ctx: Context, actor: Actor, id: string, isMuted: boolean): Promise<void> {
  const side = getChatSide(actor);
  await accessConversation(ctx.db, actor, id);
  const muted = side === 'creator' ? { is_muted_by_creator: isMuted } : { is_muted_by_fan: isMuted };
  emitConversationChanged(ctx, actor.userId, await updateConversation(ctx.db, id, muted));
}

/** A fan can block any creator. A creator can block only fans who follow them or contacted them before. */
const CREATE_BLOCK_CONVERSATION: SqlStatement = {
  name: 'chat-create-block',
  text: `insert into conversations (id, creator_id, fan_id, state, created_at) select uuidv7(), c.id, f.id, 'requested', $3 from users c, users f
    where c.id = $2 and c.type = 'creator' and f.id = $1 and f.type = 'customer' and ($4::boolean
      or exists (select from follows w where w.fan_id = $1 and w.creator_id = $2)
      or exists (select from fan_creator_relations o where o.fan_id = $1 and o.creator_id = $2))
    on conflict (fan_id, creator_id) do nothing`,
};
const DELETE_BLOCK_CONVERSATION: SqlStatement = {
  name: 'chat-delete-block',
  text: `delete from conversations where id = $1 and last_seq = 0 and creator_listed_at is null and fan_listed_at is null and not is_blocked_by_creator
    and not is_blocked_by_fan and creator_note = '' and fan_note = ''`,
};

/**
 * Throws NOT_FOUND when there is no conversation, or, unless `isBlocking`, when the other user blocked the actor before
 * any message was sent.
 */
async function accessConversationWith(
  ctx: Context,
  actor: Actor,
  otherId: string,
  { isBlocking = false } = {},
): Promise<FoundConversation> {
  const side = getChatSide(actor);
  const [fanId, creatorId] = side === 'creator' ? [otherId, actor.userId] : [actor.userId, otherId];
  const row = await findConversationByPair(ctx.db, fanId, creatorId);
  if (!row || (!isBlocking && isHiddenByBlock(row, side))) throw new AppError('NOT_FOUND');
  return row;
}

/**
 * Toggles the block when `isBlocked` is undefined. Users without messages are blocked through an empty conversation, which
 * is in no list, is hidden from the other side and is deleted with the block. Throws NOT_FOUND.
 */
export async function setBlocked(
  ctx: Context,
  actor: Actor,
  otherId: string,
  isBlocked: boolean | undefined,
): Promise<boolean> {
  const side = getChatSide(actor);
  const [fan, creator] = side === 'creator' ? [otherId, actor.userId] : [actor.userId, otherId];
  const isBlocking = isBlocked !== false;
  const existing = await findConversationByPair(ctx.db, fan, creator);
  // A block response confirms that the creator exists, so it requires an earlier contact or a creator who is not
  // geo-blocked here.
  if (!existing || isHiddenByBlock(existing, side)) requireNotGeoBlocked(creator);
  if (isBlocking && !existing)
    await ctx.db.run(CREATE_BLOCK_CONVERSATION, [fan, creator, ctx.clock.now(), side === 'fan']);
  const { id } = await accessConversationWith(ctx, actor, otherId, { isBlocking });
  const column = side === 'creator' ? 'is_blocked_by_creator' : 'is_blocked_by_fan';
  const row = await ctx.db.transaction(async (tx) => {
    const changed = await tx.query
      .updateTable('conversations')
      .set((eb) => ({ [column]: isBlocked ?? eb.not(eb.ref(column)) }))
      .where('id', '=', id)
      .returning(['id', 'revision', 'creator_id', 'fan_id', 'is_blocked_by_creator', 'is_blocked_by_fan', 'last_seq'])
      .executeTakeFirstOrThrow();
    const { creator_id: creatorId, fan_id: fanId } = changed;
    const isBlockedPair = changed.is_blocked_by_creator || changed.is_blocked_by_fan;
    await setBlock(tx, { fanId, creatorId, isBlocked: isBlockedPair, at: ctx.clock.now() });
    if (changed[column]) {
      await removeFollow(tx, fanId, creatorId, ctx.clock.now());
      await tx.emit('chat.blocked', { creatorId, fanId, isByCreator: side === 'creator' });
    }
    await tx.run(DELETE_BLOCK_CONVERSATION, [id]);
    return changed;
  });
  const isBlockedPair = row.is_blocked_by_creator || row.is_blocked_by_fan;
  // Without messages the other side must not learn of the block, neither when it starts nor, through a returning
  // presence, when it ends.
  if (row.last_seq > 0) emitBlocked(ctx, row, isBlockedPair);
  recheckWatching(ctx, row.creator_id, row.fan_id);
  if (isBlockedPair || row.last_seq > 0) recheckWatching(ctx, row.fan_id, row.creator_id);
  return row[column];
}

/**
 * Idempotent. A declined request can still be accepted. Throws NOT_FOUND when there is none, FORBIDDEN while either
 * blocks the other, CONFLICT when an open conversation would be declined.
 */
export async function respondToRequest(
  ctx: Context,
  actor: Actor,
  fanId: string,
  response: 'accept' | 'decline',
): Promise<string> {
  const { id } = await accessConversationWith(ctx, actor, fanId);
  const updated = await ctx.db.transaction(async (tx) => {
    const row = await tx.query
      .selectFrom('conversations')
      .select(['id', 'revision', 'creator_id', 'state', 'last_seq', 'is_blocked_by_creator', 'is_blocked_by_fan'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    // Without a message there is no request. Such a conversation only stores a block.
    if (!row || row.last_seq === 0) throw new AppError('NOT_FOUND');
    if (row.is_blocked_by_creator || row.is_blocked_by_fan) throw toRefusalError('blocked');
    if (response === 'accept' && row.state !== 'open') {
      await tx.emit('chat.approved', { conversationId: id, creatorId: actor.userId, fanId });
      return updateConversation(tx, id, { state: 'open', declined_at: null });
    }
    if (response === 'decline' && row.state === 'open')
      throw new AppError('CONFLICT', { message: texts.chatAlreadyAccepted });
    if (response === 'decline' && row.state === 'requested') {
      await tx.emit('chat.declined', { creatorId: actor.userId, fanId });
      return updateConversation(tx, id, { state: 'declined', declined_at: ctx.clock.now(), creator_unread: 0 });
    }
    return row;
  });
  emitConversationChanged(ctx, actor.userId, updated);
  // The fan is not notified of a declined request.
  if (response === 'accept') {
    emitConversationChanged(ctx, fanId, updated);
    recheckWatching(ctx, actor.userId, fanId);
  }
  return id;
}

/** Removes a conversation with its messages from the actor's own view. Throws NOT_FOUND. */
export async function clearConversation(ctx: Context, actor: Actor, id: string): Promise<void> {
  const side = getChatSide(actor);
  await accessConversation(ctx.db, actor, id);
  const cleared = await ctx.db.query
    .updateTable('conversations')
    .set((eb) =>
      side === 'creator'
        ? { creator_listed_at: null, creator_unread: 0, creator_cleared_seq: eb.ref('last_seq') }
        : { fan_listed_at: null, fan_unread: 0, fan_cleared_seq: eb.ref('last_seq') },
    )
    .where('id', '=', id)
    .returning(['id', 'revision', 'last_seq', 'creator_id'])
    .executeTakeFirstOrThrow();
  emitConversationDeleted(ctx, actor.userId, cleared);
}

/**
 * `isUnknown` means that the creator blocked before any message, so that the creator does not exist for the fan.
 * `isDeclined` means that the creator declined the fan's request, which the fan does not learn.
 */
export async function getBlocksBetween(
  db: Executor,
  fanId: string,
  creatorId: string,
): Promise<{ byFan: boolean; byCreator: boolean; isUnknown: boolean; isDeclined: boolean }> {
  const row = await findConversationByPair(db, fanId, creatorId);
  return {
    isDeclined: row?.state === 'declined',
    byFan: row?.is_blocked_by_fan ?? false,
    byCreator: row?.is_blocked_by_creator ?? false,
    isUnknown: row !== undefined && isHiddenByBlock(row, 'fan'),
  };
}

const createBlockedStatement = (side: ChatSide): SqlStatement => ({
  name: `chat-blocked-by-${side}`,
  text: `select c.id as "conversationId", u.id, u.username, u.name, u.avatar_key as "avatarKey" from conversations c
    join users u on u.id = c.${side === 'creator' ? 'fan' : 'creator'}_id
    where c.${side}_id = $1 and c.is_blocked_by_${side} and ${beforeIdSql('c.id', '$2')} order by c.id desc limit $3`,
});
const LIST_BLOCKED = { creator: createBlockedStatement('creator'), fan: createBlockedStatement('fan') };
type BlockedRow = { conversationId: string; id: string; username: string; name: string; avatarKey: string | null };

export async function listBlocked(
  ctx: Context,
  actor: Actor,
  { offset }: QueryOf<typeof listBlockedUsers>,
): Promise<ResponseInputOf<typeof listBlockedUsers>> {
  const { after } = parseOffset(offset);
  if (after !== undefined && !isId(after)) throw createFieldError('offset', texts.invalidOffset);
  const rows = await ctx.db.run<BlockedRow>(LIST_BLOCKED[getChatSide(actor)], [
    actor.userId,
    after ?? null,
    BLOCKED_PAGE_SIZE + 1,
  ]);
  const shown = rows.slice(0, BLOCKED_PAGE_SIZE);
  const last = shown.at(-1);
  return {
    data: shown.map(({ id, username, name, avatarKey }) => ({ id, username, name, avatarUrl: toAvatarUrl(avatarKey) })),
    ...(rows.length > BLOCKED_PAGE_SIZE && last ? { nextOffset: toCursor(last.conversationId) } : {}),
  };
}

/** Throws FORBIDDEN when one blocked the other, NOT_FOUND when the fan must not learn of the block. */
export async function requireUnblocked(ctx: Context, fanId: string, creatorId: string): Promise<void> {
  const { byFan, byCreator, isUnknown } = await getBlocksBetween(ctx.db, fanId, creatorId);
  if (isUnknown) throw new AppError('NOT_FOUND');
  if (byFan || byCreator) throw toRefusalError('blocked');
}

const FIND_RELATION: SqlStatement = {
  name: 'chat-relation',
  text: `select exists (select from conversations c where c.fan_id = $1 and c.creator_id = $2 and c.state = 'open' and c.last_seq > 0) as "hasOpenChat",
    exists (select from fan_creator_relations o where o.fan_id = $1 and o.creator_id = $2 and o.bought_at is not null) as "hasBought"`,
};
export type ChatRelation = { hasOpenChat: boolean; hasBought: boolean };

export async function findChatRelation(db: Executor, fanId: string, creatorId: string): Promise<ChatRelation> {
  const [row] = await db.run<ChatRelation>(FIND_RELATION, [fanId, creatorId]);
  return row ?? { hasOpenChat: false, hasBought: false };
}
