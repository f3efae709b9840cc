import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../platform/database/db.ts';
import { type GrantedFile, invalidateMediaAccess } from '../../content/media/index.ts';
import { emitConversationChanged, emitRemoved } from './live/emit.ts';
import { toChatFileKey } from './outbox/forms.ts';
import { findMessages, type MessageRow, messagesStatement, readMessages } from './rows.ts';

/** Finds a message in any state without an access check. The calling module decides who may see it. */
export async function findAnyMessage(db: Executor, id: string): Promise<MessageRow | undefined> {
  return (await findMessages(db, [id]))[0];
}

export function parseFileId(key: string): string | undefined {
  return /^d\/([0-9a-f-]{36})$/.exec(key)?.[1];
}

/** Finds a document or voice note in any state without an access check. */
export async function findAnyFile(
  db: Executor,
  id: string,
): Promise<{ file: GrantedFile; isTakenDown: boolean } | undefined> {
  const row = await db.query.selectFrom('chat_files').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  const downloadName = row.kind === 'audio' ? undefined : row.file_name;
  return {
    file: { key: toChatFileKey(id), contentType: row.content_type, downloadName },
    isTakenDown: row.taken_down_at !== null,
  };
}

const MESSAGES_AROUND = messagesStatement(
  'chat-messages-around',
  'select * from messages where conversation_id = $1 and seq between $2::bigint - $3::bigint and $2::bigint + $3::bigint',
  { order: 'm.seq' },
);

export function listMessagesAround(
  db: Executor,
  { conversation_id: id, seq }: Pick<MessageRow, 'conversation_id' | 'seq'>,
  count: number,
): Promise<MessageRow[]> {
  return readMessages(db, MESSAGES_AROUND, [id, seq, count]);
}

const unreadCountSql = (sign: '+' | '-') => `counted as (update conversations c set
      fan_unread = case when g.is_from_creator and g.is_unread then greatest(c.fan_unread ${sign} 1, 0) else c.fan_unread end,
      creator_unread = case when not g.is_from_creator and g.is_unread then greatest(c.creator_unread ${sign} 1, 0) else c.creator_unread end
      from changed g where c.id = g.conversation_id returning c.id)
    select count(*) as count from changed, counted`;
const LOCKED_CONVERSATION = `with held as (select c.id, c.creator_read_seq, c.fan_read_seq from messages m join conversations c on c.id = m.conversation_id
      where m.id = $1 for no key update of c)`;
const UNREAD_COLUMNS = `m.conversation_id, m.is_from_creator, m.seq > case when m.is_from_creator then c.fan_read_seq else c.creator_read_seq end
      and not case when m.is_from_creator then m.is_hidden_from_fan else m.is_hidden_from_creator end as is_unread`;
const TAKE_DOWN: SqlStatement = {
  name: 'chat-take-down',
  text: `${LOCKED_CONVERSATION}, changed as (update messages m set unsent_at = $2, taken_down_at = $2 from held c
      where m.id = $1 and m.unsent_at is null returning ${UNREAD_COLUMNS}), ${unreadCountSql('-')}`,
};
const RESTORE: SqlStatement = {
  name: 'chat-restore',
  text: `${LOCKED_CONVERSATION}, changed as (update messages m set unsent_at = null, taken_down_at = null from held c
      where m.id = $1 and m.taken_down_at is not null
        and not exists (select from broadcasts b where b.id = m.broadcast_id and b.taken_down_at is not null) returning ${UNREAD_COLUMNS}), ${unreadCountSql('+')}`,
};

type AfterCommit = () => Promise<void>;
const DO_NOTHING: AfterCommit = async () => undefined;

/**
 * Takes a message down for both sides and retains its text. Returns a function that emits the removal after the commit.
 */
export async function takeDownMessage(ctx: Context, tx: DbTransaction, id: string): Promise<AfterCommit> {
  const [done] = await tx.run<{ count: number }>(TAKE_DOWN, [id, ctx.clock.now()]);
  if (!done?.count) return DO_NOTHING;
  await tx.emit('message.accessRevoked', { messageId: id });
  return async () => {
    invalidateMediaAccess(ctx);
    const row = await findAnyMessage(ctx.db, id);
    if (row) emitRemoved(ctx, row);
  };
}

export async function restoreMessage(ctx: Context, tx: DbTransaction, id: string): Promise<AfterCommit> {
  const [done] = await tx.run<{ count: number }>(RESTORE, [id]);
  if (!done?.count) return DO_NOTHING;
  return async () => {
    const row = await findAnyMessage(ctx.db, id);
    if (!row) return;
    const { conversation_id, conversation_revision: revision, creator_id, fan_id } = row;
    for (const userId of [creator_id, fan_id])
      emitConversationChanged(ctx, userId, { id: conversation_id, revision, creator_id });
  };
}

export async function setFilesTakenDown(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  ids: readonly string[],
  isTakenDown: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query
    .updateTable('chat_files')
    .set({ taken_down_at: isTakenDown ? clock.now() : null })
    .where('id', 'in', [...ids])
    .where('taken_down_at', isTakenDown ? 'is' : 'is not', null)
    .execute();
}
