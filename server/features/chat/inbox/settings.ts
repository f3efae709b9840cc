import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { isId } from '@stagedoor/contract/atoms/ids.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { BLOCKED_PAGE, type blockedPeople, type CHAT_RULES } from '@stagedoor/contract/chat-terms.ts';
import type { Updateable } from 'kysely';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement, Tables } from '../../../kernel/db.ts';
import { beforeId, cursorOf, readOffset } from '../../../kernel/offset.ts';
import { requireSeenHere } from '../../../kernel/places.ts';
import type { Actor } from '../../../kernel/session.ts';
import { avatarUrl, changeCreator } from '../../accounts/index.ts';
import { setApart } from '../../blocks/index.ts';
import { endFollow } from '../../follows/index.ts';
import { reviewWatching } from '../../presence/index.ts';
import { accessConversation, isSilentlyApart, refusalError, sideOf } from '../access.ts';
import '../events.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import { tellBlocked, tellChanged, tellDeleted } from '../live/tell.ts';
import { type FoundConversation, findPair } from '../rows.ts';

type Rule = (typeof CHAT_RULES)[number];

export async function getRule(ctx: Context, actor: Actor): Promise<{ rule: Rule }> {
  const row = await ctx.db.query
    .selectFrom('creators')
    .select('chat_rule')
    .where('user_id', '=', actor.userId)
    .executeTakeFirstOrThrow();
  return { rule: row.chat_rule === 'open' || row.chat_rule === 'followers' ? row.chat_rule : 'request' };
}

export async function setRule(ctx: Context, actor: Actor, rule: Rule): Promise<{ rule: Rule }> {
  await changeCreator(ctx.db, actor.userId, { chat_rule: rule });
  return { rule };
}

export function isNoteAllowed({ config }: Pick<Context, 'config'>, side: Side): boolean {
  return side === 'creator' || config.fansMayKeepNotes;
}

function change(db: Executor, id: string, set: Updateable<Tables['conversations']>) {
  return db.query
    .updateTable('conversations')
    .set(set)
    .where('id', '=', id)
    .returning(['id', 'revision', 'creator_id'])
    .executeTakeFirstOrThrow();
}

/** Throws NOT_FOUND, FORBIDDEN (notes are not allowed). */
export async function writeNote(ctx: Context, actor: Actor, id: string, note: string): Promise<string> {
  const side = sideOf(actor);
  await accessConversation(ctx.db, actor, id);
  if (!isNoteAllowed(ctx, side)) throw new AppError('FORBIDDEN', { message: 'Only creators can add notes.' });
  const changed = await change(ctx.db, id, side === 'creator' ? { creator_note: note } : { fan_note: note });
  tellChanged(ctx, actor.userId, changed);
  return note;
}

/** Mutes or unmutes for the actor only. Throws NOT_FOUND. */
export async function setMuted(ctx: Context, actor: Actor, id: string, isMuted: boolean): Promise<void> {
  const side = sideOf(actor);
  await accessConversation(ctx.db, actor, id);
  const muted = side === 'creator' ? { is_muted_by_creator: isMuted } : { is_muted_by_fan: isMuted };
  tellChanged(ctx, actor.userId, await change(ctx.db, id, muted));
}

/** A fan can block any creator. A creator can block only fans who follow them or contacted them before. */
const BEGIN_APART: Statement = {
  name: 'chat-begin-apart',
  text: `insert into conversations (id, creator_id, fan_id, state, created_at) select uuidv7(), c.id, f.id, 'requested', $3 from users c, users f
    where c.id = $2 and c.type = 'creator' and f.id = $1 and f.type = 'customer' and ($4::boolean
      or exists (select from follows w where w.fan_id = $1 and w.creator_id = $2)
      or exists (select from chat_bonds o where o.fan_id = $1 and o.creator_id = $2))
    on conflict (fan_id, creator_id) do nothing`,
};
const END_APART: Statement = {
  name: 'chat-end-apart',
  text: `delete from conversations where id = $1 and last_seq = 0 and creator_at is null and fan_at is null and not is_blocked_by_creator
    and not is_blocked_by_fan and creator_note = '' and fan_note = ''`,
};

/**
 * Throws NOT_FOUND when there is no conversation, or, unless `isBlocking`, when the other user blocked the actor before
 * any message was sent.
 */
async function accessPair(
  ctx: Context,
  actor: Actor,
  otherId: string,
  { isBlocking = false } = {},
): Promise<FoundConversation> {
  const side = sideOf(actor);
  const [fanId, creatorId] = side === 'creator' ? [otherId, actor.userId] : [actor.userId, otherId];
  const row = await findPair(ctx.db, fanId, creatorId);
  if (!row || (!isBlocking && isSilentlyApart(row, side))) throw new AppError('NOT_FOUND');
  return row;
}

/**
 * Toggles the block when `wish` is undefined. Users without messages are blocked through an empty conversation, which
 * is in no list, is hidden from the other side and is deleted with the block. Throws NOT_FOUND.
 */
export async function setBlocked(
  ctx: Context,
  actor: Actor,
  otherId: string,
  wish: boolean | undefined,
): Promise<boolean> {
  const side = sideOf(actor);
  const [fan, creator] = side === 'creator' ? [otherId, actor.userId] : [actor.userId, otherId];
  const isBlocking = wish !== false;
  const known = await findPair(ctx.db, fan, creator);
  // A block response confirms that the creator exists, so it requires an earlier contact or a creator who is not
  // geo-blocked here.
  if (!known || isSilentlyApart(known, side)) requireSeenHere(creator);
  if (isBlocking && !known) await ctx.db.run(BEGIN_APART, [fan, creator, ctx.clock.now(), side === 'fan']);
  const { id } = await accessPair(ctx, actor, otherId, { isBlocking });
  const column = side === 'creator' ? 'is_blocked_by_creator' : 'is_blocked_by_fan';
  const row = await ctx.db.transaction(async (tx) => {
    const changed = await tx.query
      .updateTable('conversations')
      .set((eb) => ({ [column]: wish ?? eb.not(eb.ref(column)) }))
      .where('id', '=', id)
      .returning(['id', 'revision', 'creator_id', 'fan_id', 'is_blocked_by_creator', 'is_blocked_by_fan', 'last_seq'])
      .executeTakeFirstOrThrow();
    const { creator_id: creatorId, fan_id: fanId } = changed;
    const isApart = changed.is_blocked_by_creator || changed.is_blocked_by_fan;
    await setApart(tx, { fanId, creatorId, isApart, at: ctx.clock.now() });
    if (changed[column]) {
      await endFollow(tx, fanId, creatorId, ctx.clock.now());
      await tx.emit('chat.blocked', { creatorId, fanId });
    }
    await tx.run(END_APART, [id]);
    return changed;
  });
  const isApart = row.is_blocked_by_creator || row.is_blocked_by_fan;
  // Without messages the other side must not learn of the block, neither when it starts nor, through a returning
  // presence, when it ends.
  if (row.last_seq > 0) tellBlocked(ctx, row, isApart);
  reviewWatching(ctx, row.creator_id, row.fan_id);
  if (isApart || row.last_seq > 0) reviewWatching(ctx, row.fan_id, row.creator_id);
  return row[column];
}

/**
 * Idempotent. A declined request can still be accepted. Throws NOT_FOUND when there is none, FORBIDDEN while either
 * blocks the other, CONFLICT when an open conversation would be declined.
 */
export async function answerRequest(
  ctx: Context,
  actor: Actor,
  fanId: string,
  answer: 'accept' | 'decline',
): Promise<string> {
  const { id } = await accessPair(ctx, actor, fanId);
  const answered = await ctx.db.transaction(async (tx) => {
    const row = await tx.query
      .selectFrom('conversations')
      .select(['id', 'revision', 'creator_id', 'state', 'last_seq', 'is_blocked_by_creator', 'is_blocked_by_fan'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    // Without a message there is no request. Such a conversation only stores a block.
    if (!row || row.last_seq === 0) throw new AppError('NOT_FOUND');
    if (row.is_blocked_by_creator || row.is_blocked_by_fan) throw refusalError('blocked');
    if (answer === 'accept' && row.state !== 'open') {
      await tx.emit('chat.approved', { conversationId: id, creatorId: actor.userId, fanId });
      return change(tx, id, { state: 'open', declined_at: null });
    }
    if (answer === 'decline' && row.state === 'open')
      throw new AppError('CONFLICT', { message: 'This chat has already been accepted. You can block or delete it.' });
    if (answer === 'decline' && row.state === 'requested')
      return change(tx, id, { state: 'declined', declined_at: ctx.clock.now(), creator_unread: 0 });
    return row;
  });
  tellChanged(ctx, actor.userId, answered);
  // The fan is not notified of a declined request.
  if (answer === 'accept') {
    tellChanged(ctx, fanId, answered);
    reviewWatching(ctx, actor.userId, fanId);
  }
  return id;
}

/** Removes a conversation with its messages from the actor's own view. Throws NOT_FOUND. */
export async function clearConversation(ctx: Context, actor: Actor, id: string): Promise<void> {
  const side = sideOf(actor);
  await accessConversation(ctx.db, actor, id);
  const cleared = await ctx.db.query
    .updateTable('conversations')
    .set((eb) =>
      side === 'creator'
        ? { creator_at: null, creator_unread: 0, creator_cleared_seq: eb.ref('last_seq') }
        : { fan_at: null, fan_unread: 0, fan_cleared_seq: eb.ref('last_seq') },
    )
    .where('id', '=', id)
    .returning(['id', 'revision', 'last_seq', 'creator_id'])
    .executeTakeFirstOrThrow();
  tellDeleted(ctx, actor.userId, cleared);
}

/** `isUnknown` means that the creator blocked before any message, so that the creator does not exist for the fan. */
export async function blocksBetween(
  db: Executor,
  fanId: string,
  creatorId: string,
): Promise<{ byFan: boolean; byCreator: boolean; isUnknown: boolean }> {
  const row = await findPair(db, fanId, creatorId);
  return {
    byFan: row?.is_blocked_by_fan ?? false,
    byCreator: row?.is_blocked_by_creator ?? false,
    isUnknown: row !== undefined && isSilentlyApart(row, 'fan'),
  };
}

const BLOCKED = (side: Side): Statement => ({
  name: `chat-blocked-by-${side}`,
  text: `select c.id as "conversationId", u.id, u.username, u.name, u.avatar_key as "avatarKey" from conversations c
    join users u on u.id = c.${side === 'creator' ? 'fan' : 'creator'}_id
    where c.${side}_id = $1 and c.is_blocked_by_${side} and ${beforeId('c.id', '$2')} order by c.id desc limit $3`,
});
const BLOCKED_BY = { creator: BLOCKED('creator'), fan: BLOCKED('fan') };
type BlockedRow = { conversationId: string; id: string; username: string; name: string; avatarKey: string | null };

export async function listBlocked(
  ctx: Context,
  actor: Actor,
  { offset }: QueryOf<typeof blockedPeople>,
): Promise<AnswerOf<typeof blockedPeople>> {
  const { after } = readOffset(offset);
  if (after !== undefined && !isId(after)) throw invalid('offset', 'Invalid offset');
  const rows = await ctx.db.run<BlockedRow>(BLOCKED_BY[sideOf(actor)], [actor.userId, after ?? null, BLOCKED_PAGE + 1]);
  const shown = rows.slice(0, BLOCKED_PAGE);
  const last = shown.at(-1);
  return {
    data: shown.map(({ id, username, name, avatarKey }) => ({ id, username, name, avatarUrl: avatarUrl(avatarKey) })),
    ...(rows.length > BLOCKED_PAGE && last ? { nextOffset: cursorOf(last.conversationId) } : {}),
  };
}

/** Throws FORBIDDEN when one blocked the other, NOT_FOUND when the fan must not learn of the block. */
export async function requireUnblocked(ctx: Context, fanId: string, creatorId: string): Promise<void> {
  const { byFan, byCreator, isUnknown } = await blocksBetween(ctx.db, fanId, creatorId);
  if (isUnknown) throw new AppError('NOT_FOUND');
  if (byFan || byCreator) throw refusalError('blocked');
}
