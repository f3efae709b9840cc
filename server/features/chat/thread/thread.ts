import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { messageList, SHARED_KINDS, searchMessages } from '@stagedoor/contract/chat.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Statement } from '../../../kernel/db.ts';
import { cursorOf, readOffset } from '../../../kernel/offset.ts';
import type { Actor } from '../../../kernel/session.ts';
import { forgetSights } from '../../media/index.ts';
import { accessConversation, accessMessage, sideOf } from '../access.ts';
import { deliverInto } from '../inbox/conversations.ts';
import { tellRemoved } from '../live/tell.ts';
import { presentMessage } from '../present.ts';
import { findMessages, type MessageRow, messagesStatement, readMessages } from '../rows.ts';

type Page = AnswerOf<typeof searchMessages>;

const shown = (side: Side, m = 'messages') => `${m}.unsent_at is null and not ${m}.is_hidden_from_${side}`;
const forSides = (make: (side: Side) => Statement) => ({ creator: make('creator'), fan: make('fan') });

const BEFORE = forSides((side) =>
  messagesStatement(
    `chat-thread-${side}`,
    `select * from messages where conversation_id = $1 and seq < $2 and seq > $3 and ${shown(side)} order by seq desc offset $4 limit $5`,
  ),
);
const AFTER = forSides((side) =>
  messagesStatement(
    `chat-thread-after-${side}`,
    `select * from messages where conversation_id = $1 and seq > greatest($2::bigint, $3::bigint) and ${shown(side)} order by seq offset $4 limit $5`,
    { order: 'm.seq' },
  ),
);
/** ASCII text only needs lower case, which is ten times faster than `plain`. */
const FOUND = forSides((side) =>
  messagesStatement(
    `chat-thread-search-${side}`,
    `select m.* from messages m, lateral (select coalesce((select text from broadcasts where id = m.broadcast_id), m.text) as said offset 0) t
       where m.conversation_id = $1 and m.seq < $2 and m.seq > $3 and ${shown(side, 'm')}
         and case when octet_length(said) = length(said) then lower(said) else plain(said) end like (select plain($6))
       order by m.seq desc offset $4 limit $5`,
  ),
);
const SHARED = forSides((side) =>
  messagesStatement(
    `chat-thread-files-${side}`,
    `select * from messages where conversation_id = $1 and seq < $2 and seq > $3 and type = $6
       and type in ('image', 'video', 'audio', 'document') and ${shown(side)} order by seq desc offset $4 limit $5`,
  ),
);

/** Throws VALIDATION for an invalid cursor. */
function seqOf(after: string | undefined): number | undefined {
  if (after === undefined) return undefined;
  if (!/^\d{1,15}$/.test(after)) throw invalid('offset', 'Invalid offset');
  return Number(after);
}

/** Padded because cursors have a minimum length (contract/atoms/paging.ts). */
const cursorAt = (row: MessageRow) => cursorOf(String(row.seq).padStart(8, '0'));

function pageOf(ctx: Context, rows: MessageRow[], limit: number, side: Side): Page {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const now = ctx.clock.now();
  return {
    data: data.map((row) => presentMessage(row, side, now)),
    limit,
    ...(rows.length > limit && last ? { nextOffset: cursorAt(last) } : {}),
  };
}

/** A page of a thread, newest first. With `after` it is oldest first from there. Throws NOT_FOUND. */
export async function listMessages(
  ctx: Context,
  actor: Actor,
  id: string,
  query: QueryOf<typeof messageList>,
): Promise<AnswerOf<typeof messageList>> {
  const side = sideOf(actor);
  const facts = await accessConversation(ctx.db, actor, id);
  await deliverInto(ctx, facts);
  const { skip, after: cursor } = readOffset(query.offset);
  const at = seqOf(cursor);
  const cleared = side === 'creator' ? facts.creator_cleared_seq : facts.fan_cleared_seq;
  const isForward = query.after !== undefined;
  const from = at ?? (isForward ? query.after : query.before) ?? Number.MAX_SAFE_INTEGER;
  const statement = (isForward ? AFTER : BEFORE)[side];
  const rows = await readMessages(ctx.db, statement, [id, from, cleared, skip, query.limit + 1]);
  return { ...pageOf(ctx, rows, query.limit, side), lastSeq: facts.last_seq };
}

type Filter = { limit: number; offset: string };

async function filtered(
  ctx: Context,
  actor: Actor,
  id: string,
  { limit, offset }: Filter,
  what: typeof FOUND,
  value: string,
): Promise<Page> {
  const side = sideOf(actor);
  const facts = await accessConversation(ctx.db, actor, id);
  await deliverInto(ctx, facts);
  const { skip, after } = readOffset(offset);
  const cleared = side === 'creator' ? facts.creator_cleared_seq : facts.fan_cleared_seq;
  const from = seqOf(after) ?? Number.MAX_SAFE_INTEGER;
  const rows = await readMessages(ctx.db, what[side], [id, from, cleared, skip, limit + 1, value]);
  return pageOf(ctx, rows, limit, side);
}

/** Newest first. Throws NOT_FOUND. */
export function findInThread(
  ctx: Context,
  actor: Actor,
  id: string,
  query: QueryOf<typeof searchMessages>,
): Promise<Page> {
  return filtered(ctx, actor, id, query, FOUND, `%${query.q.replace(/[\\%_]/g, '\\$&')}%`);
}

/** Newest first. Throws NOT_FOUND. */
export function listShared(
  ctx: Context,
  actor: Actor,
  id: string,
  query: Filter & { kind: (typeof SHARED_KINDS)[number] },
): Promise<Page> {
  return filtered(ctx, actor, id, query, SHARED, query.kind);
}

async function hide(ctx: Context, side: Side, message: MessageRow): Promise<void> {
  const isOwn = message.is_from_creator === (side === 'creator');
  await ctx.db.transaction(async (tx) => {
    const facts = await tx.query
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
    const readSeq = side === 'creator' ? facts.creator_read_seq : facts.fan_read_seq;
    const isCounted = hidden.numUpdatedRows > 0n && !isOwn && message.seq > readSeq;
    const unread = side === 'creator' ? 'creator_unread' : 'fan_unread';
    // Also when the message was not counted as unread, because it may have been the last one.
    await tx.query
      .updateTable('conversations')
      .set((eb) => ({ [unread]: eb.fn('greatest', [eb(unread, '-', isCounted ? 1 : 0), eb.lit(0)]) }))
      .where('id', '=', message.conversation_id)
      .execute();
  });
  const [hidden = message] = await findMessages(ctx.db, [message.id]);
  tellRemoved(ctx, hidden, side);
}

const UNSEND: Statement = {
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
async function unsend(ctx: Context, side: Side, message: MessageRow): Promise<void> {
  if (message.is_from_creator !== (side === 'creator')) throw new AppError('NOT_FOUND');
  const gone = await ctx.db.transaction(async (tx) => {
    const values = [message.conversation_id, message.id, ctx.clock.now()];
    const [row] = await tx.run<{ revision: number; conversation_revision: number }>(UNSEND, values);
    if (row && message.type !== 'text') await tx.emit('chat.closed', { messageId: message.id });
    return row;
  });
  if (!gone)
    throw new AppError('CONFLICT', {
      message: 'It has already been read or unlocked. You can only delete it for yourself.',
    });
  // This process clears its access cache before the response. Others clear theirs when they receive the event.
  forgetSights(ctx);
  tellRemoved(ctx, { ...message, ...gone });
}

/** Deletes a message for the actor, or unsends it for both sides. Throws NOT_FOUND, CONFLICT. */
export async function removeMessage(
  ctx: Context,
  actor: Actor,
  { conversationId, messageId }: { conversationId: string; messageId: string },
  isUnsend: boolean,
): Promise<void> {
  const side = sideOf(actor);
  const message = await accessMessage(ctx.db, actor, messageId);
  if (message.conversation_id !== conversationId) throw new AppError('NOT_FOUND');
  if (isUnsend) await unsend(ctx, side, message);
  else await hide(ctx, side, message);
}
