import type { getMessageList, SHARED_KINDS, searchMessages } from '@stagedoor/contract/messaging/chat.ts';
import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { parseOffset, toCursor } from '../../../../platform/database/pagination.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { invalidateMediaAccess } from '../../../content/media/index.ts';
import { accessConversation, accessMessage, getChatSide } from '../access.ts';
import { deliverBroadcastsInto } from '../inbox/conversations.ts';
import { emitRemoved } from '../live/emit.ts';
import { presentMessage } from '../present.ts';
import { findMessages, type MessageRow, messagesStatement, readMessages } from '../rows.ts';
import * as texts from '../texts.ts';

type MessagePage = ResponseInputOf<typeof searchMessages>;

const isShownSql = (side: ChatSide, m = 'messages') => `${m}.unsent_at is null and not ${m}.is_hidden_from_${side}`;
const createForSides = (create: (side: ChatSide) => SqlStatement) => ({
  creator: create('creator'),
  fan: create('fan'),
});

const LIST_BEFORE = createForSides((side) =>
  messagesStatement(
    `chat-thread-${side}`,
    `select * from messages where conversation_id = $1 and seq < $2 and seq > $3 and ${isShownSql(side)} order by seq desc offset $4 limit $5`,
  ),
);
const LIST_AFTER = createForSides((side) =>
  messagesStatement(
    `chat-thread-after-${side}`,
    `select * from messages where conversation_id = $1 and seq > greatest($2::bigint, $3::bigint) and ${isShownSql(side)} order by seq offset $4 limit $5`,
    { order: 'm.seq' },
  ),
);
/** ASCII text only needs lower case, which is ten times faster than `unaccent_lower`. */
const SEARCH = createForSides((side) =>
  messagesStatement(
    `chat-thread-search-${side}`,
    `select m.* from messages m, lateral (select coalesce((select text from broadcasts where id = m.broadcast_id), m.text) as searchable offset 0) t
       where m.conversation_id = $1 and m.seq < $2 and m.seq > $3 and ${isShownSql(side, 'm')}
         and case when octet_length(searchable) = length(searchable) then lower(searchable) else unaccent_lower(searchable) end like (select unaccent_lower($6))
       order by m.seq desc offset $4 limit $5`,
  ),
);
const LIST_SHARED = createForSides((side) =>
  messagesStatement(
    `chat-thread-files-${side}`,
    `select * from messages where conversation_id = $1 and seq < $2 and seq > $3 and type = $6
       and type in ('image', 'video', 'audio', 'document') and ${isShownSql(side)} order by seq desc offset $4 limit $5`,
  ),
);

/** Throws VALIDATION for an invalid cursor. */
function parseSeq(after: string | undefined): number | undefined {
  if (after === undefined) return undefined;
  if (!/^\d{1,15}$/.test(after)) throw createFieldError('offset', texts.invalidOffset);
  return Number(after);
}

/** Padded because cursors have a minimum length (contract/shared/paging.ts). */
const toMessageCursor = (row: MessageRow) => toCursor(String(row.seq).padStart(8, '0'));

function toMessagePage(ctx: Context, rows: MessageRow[], limit: number, side: ChatSide): MessagePage {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const now = ctx.clock.now();
  return {
    data: data.map((row) => presentMessage(row, side, now)),
    limit,
    ...(rows.length > limit && last ? { nextOffset: toMessageCursor(last) } : {}),
  };
}

/** A page of a thread, newest first. With `after` it is oldest first from there. Throws NOT_FOUND. */
export async function listMessages(
  ctx: Context,
  actor: Actor,
  id: string,
  query: QueryOf<typeof getMessageList>,
): Promise<ResponseInputOf<typeof getMessageList>> {
  const side = getChatSide(actor);
  const conversation = await accessConversation(ctx.db, actor, id);
  await deliverBroadcastsInto(ctx, conversation);
  const { skip, after: cursor } = parseOffset(query.offset);
  const at = parseSeq(cursor);
  const cleared = side === 'creator' ? conversation.creator_cleared_seq : conversation.fan_cleared_seq;
  const isForward = query.after !== undefined;
  const from = at ?? (isForward ? query.after : query.before) ?? Number.MAX_SAFE_INTEGER;
  const statement = (isForward ? LIST_AFTER : LIST_BEFORE)[side];
  const rows = await readMessages(ctx.db, statement, [id, from, cleared, skip, query.limit + 1]);
  return { ...toMessagePage(ctx, rows, query.limit, side), lastSeq: conversation.last_seq };
}

type MessageFilter = { limit: number; offset: string };

async function listFiltered(
  ctx: Context,
  actor: Actor,
  id: string,
  { limit, offset }: MessageFilter,
  statements: typeof SEARCH,
  value: string,
): Promise<MessagePage> {
  const side = getChatSide(actor);
  const conversation = await accessConversation(ctx.db, actor, id);
  await deliverBroadcastsInto(ctx, conversation);
  const { skip, after } = parseOffset(offset);
  const cleared = side === 'creator' ? conversation.creator_cleared_seq : conversation.fan_cleared_seq;
  const from = parseSeq(after) ?? Number.MAX_SAFE_INTEGER;
  const rows = await readMessages(ctx.db, statements[side], [id, from, cleared, skip, limit + 1, value]);
  return toMessagePage(ctx, rows, limit, side);
}

/** Newest first. Throws NOT_FOUND. */
export function searchThread(
  ctx: Context,
  actor: Actor,
  id: string,
  query: QueryOf<typeof searchMessages>,
): Promise<MessagePage> {
  return listFiltered(ctx, actor, id, query, SEARCH, `%${query.q.normalize('NFKC').replace(/[\\%_]/g, '\\$&')}%`);
}

/** Newest first. Throws NOT_FOUND. */
export function listShared(
  ctx: Context,
  actor: Actor,
  id: string,
  query: MessageFilter & { kind: (typeof SHARED_KINDS)[number] },
): Promise<MessagePage> {
  return listFiltered(ctx, actor, id, query, LIST_SHARED, query.kind);
}

async function hideForSide(ctx: Context, side: ChatSide, message: MessageRow): Promise<void> {
  const isOwn = message.is_from_creator === (side === 'creator');
  await ctx.db.transaction(async (tx) => {
    const conversation = await tx.query
      .selectFrom('conversations')
      .select(['creator_read_seq', 'fan_read_seq'])
      .where('id', '=', message.conversation_id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const column = side === 'creator' ? 'is_hidden_from_creator' : 'is_hidden_from_fan';
    const hidden = await tx.query
      .updateTable('messages')
      .set({ [column]: true })
      .where('id', '=', message.id)
      .where(column, '=', false)
      .executeTakeFirst();
    const readSeq = side === 'creator' ? conversation.creator_read_seq : conversation.fan_read_seq;
    const isCounted = hidden.numUpdatedRows > 0n && !isOwn && message.seq > readSeq;
    const unread = side === 'creator' ? 'creator_unread' : 'fan_unread';
    // Also when the message was not counted as unread, because it may have been the last one.
    await tx.query
      .updateTable('conversations')
      .set((eb) => ({ [unread]: eb.fn('greatest', [eb(unread, '-', isCounted ? 1 : 0), eb.lit(0)]) }))
      .where('id', '=', message.conversation_id)
      .execute();
  });
  const [hiddenMessage = message] = await findMessages(ctx.db, [message.id]);
  emitRemoved(ctx, hiddenMessage, side);
}

const UNSEND: SqlStatement = {
  name: 'chat-unsend',
  // The lock of the conversation excludes marks, the lock of the message excludes a purchase.
  text: `with held as (select id, creator_read_seq, fan_read_seq from conversations where id = $1 for no key update),
    gone as (update messages m set unsent_at = $3, text = '' from held c where m.id = $2 and m.conversation_id = c.id and m.unsent_at is null
      and m.purchased_at is null and m.type not in ('tipInfo', 'videoCallInfo')
      and m.seq > case when m.is_from_creator then c.fan_read_seq else c.creator_read_seq end returning m.conversation_id, m.broadcast_id, m.revision, m.is_from_creator,
        case when m.is_from_creator then m.is_hidden_from_fan else m.is_hidden_from_creator end as is_hidden),
    counted as (update conversations c set
      fan_unread = case when g.is_from_creator and not g.is_hidden then greatest(c.fan_unread - 1, 0) else c.fan_unread end,
      creator_unread = case when not g.is_from_creator and not g.is_hidden then greatest(c.creator_unread - 1, 0) else c.creator_unread end
      from gone g where c.id = g.conversation_id returning c.revision)
    select g.revision + coalesce((select revision from broadcasts where id = g.broadcast_id), 0) as revision, n.revision as conversation_revision
      from gone g, counted n`,
};

/** Removes an own message for both sides while it is neither read nor bought. Throws NOT_FOUND, CONFLICT. */
async function unsend(ctx: Context, side: ChatSide, message: MessageRow): Promise<void> {
  if (message.is_from_creator !== (side === 'creator')) throw new AppError('NOT_FOUND');
  const removed = await ctx.db.transaction(async (tx) => {
    const values = [message.conversation_id, message.id, ctx.clock.now()];
    const [row] = await tx.run<{ revision: number; conversation_revision: number }>(UNSEND, values);
    if (row && message.type !== 'text') await tx.emit('message.accessRevoked', { messageId: message.id });
    return row;
  });
  if (!removed)
    throw new AppError('CONFLICT', {
      message: texts.deleteForYourselfOnly,
    });
  // This process clears its access cache before the response. Others clear theirs when they receive the event.
  invalidateMediaAccess(ctx);
  emitRemoved(ctx, { ...message, ...removed });
}

/** Deletes a message for the actor, or unsends it for both sides. Throws NOT_FOUND, CONFLICT. */
export async function removeMessage(
  ctx: Context,
  actor: Actor,
  { conversationId, messageId }: { conversationId: string; messageId: string },
  isUnsend: boolean,
): Promise<void> {
  const side = getChatSide(actor);
  const message = await accessMessage(ctx.db, actor, messageId);
  if (message.conversation_id !== conversationId) throw new AppError('NOT_FOUND');
  if (isUnsend) await unsend(ctx, side, message);
  else await hideForSide(ctx, side, message);
}
