/** Account deletion in chat: erases the user's texts and files, except what the other side bought. */
import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql } from '../../../platform/database/pagination.ts';
import { registerDeletionStep } from '../../identity/account-deletion/index.ts';
import { deleteBlocks } from '../../identity/blocks/index.ts';
import { iteratePages } from '../../identity/data-export/index.ts';
import { toChatFileKey } from './outbox/forms.ts';

const BATCH_SIZE = 500;
const FILE_BATCH_SIZE = 50;

const UNSEND_BROADCASTS: SqlStatement = {
  name: 'chat-deletion-unsend-broadcasts',
  text: `update broadcasts b set text = '', state = case b.state when 'scheduled' then 'cancelled' when 'sent' then 'unsent' else b.state end
    where b.id in (select n.id from broadcasts n where n.creator_id = $1 and (n.text <> '' or n.state in ('scheduled', 'sent'))
      and not exists (select from broadcast_counts c where c.broadcast_id = n.id and c.purchased > 0) limit $2) returning 1 as gone`,
};
/**
 * A message that was unsent before loses its text, too. A message taken down by an operator can no longer be restored.
 */
const unsendSql = (page: string) => `with page as materialized (${page}),
    taken as (update messages m set text = '', unsent_at = coalesce(m.unsent_at, $4), taken_down_at = null from page p where m.id = p.id)
    select position_id as id from page order by position_id`;
const NOT_BOUGHT = `m.purchased_at is null and (m.unsent_at is null or m.taken_down_at is not null or m.text <> '') and m.type not in ('tipInfo', 'videoCallInfo')`;
/**
 * The user's own messages, in the order of an existing index, so that sending a message does not have to maintain
 * another one.
 */
const UNSEND_MESSAGES: SqlStatement = {
  name: 'chat-deletion-unsend-messages',
  text: unsendSql(
    `select m.id, m.client_id as position_id from messages m where m.sender_id = $1 and m.broadcast_id is null and ${afterIdSql('m.client_id', '$3')}
      and ${NOT_BOUGHT} order by m.client_id limit $2`,
  ),
};
const LIST_BROADCASTS: SqlStatement = {
  name: 'chat-deletion-broadcasts',
  text: `select id from broadcasts where creator_id = $1 and ${afterIdSql('id', '$3')} order by id limit $2`,
};
const UNSEND_BROADCAST_MESSAGES: SqlStatement = {
  name: 'chat-deletion-broadcast-messages',
  text: unsendSql(
    `select m.id, m.conversation_id as position_id from messages m where m.broadcast_id = $1 and ${afterIdSql('m.conversation_id', '$3')}
      and ${NOT_BOUGHT} order by m.conversation_id limit $2`,
  ),
};
const CLEAR_CONVERSATIONS: SqlStatement = {
  name: 'chat-deletion-conversations',
  text: `update conversations c set creator_note = case when c.creator_id = $1 then '' else c.creator_note end, fan_note = case when c.fan_id = $1 then '' else c.fan_note end,
      creator_listed_at = case when c.creator_id = $1 then null else c.creator_listed_at end, fan_listed_at = case when c.fan_id = $1 then null else c.fan_listed_at end,
      creator_unread = 0, fan_unread = 0
    where c.id in (
      select id from conversations where creator_id = $1 and (creator_note <> '' or creator_listed_at is not null or creator_unread > 0 or fan_unread > 0)
      union all select id from conversations where fan_id = $1 and (fan_note <> '' or fan_listed_at is not null or creator_unread > 0 or fan_unread > 0)
      limit $2) returning 1 as gone`,
};
const LIST_FILES: SqlStatement = {
  name: 'chat-deletion-files',
  text: `select f.id from chat_files f where f.owner_id = $1 and not exists (
      select from chat_attachments a join messages m on m.id = a.holder_id or m.broadcast_id = a.holder_id
      where a.file_id = f.id and m.purchased_at is not null) limit $2`,
};
const DELETE_FILES: SqlStatement = {
  name: 'chat-deletion-delete-files',
  text: 'delete from chat_files where id = any ($1::uuid[])',
};

const DELETE_BROADCAST_CURSORS: SqlStatement = {
  name: 'chat-deletion-broadcast-cursors',
  text: 'delete from broadcast_cursors where fan_id = $1',
};

export function registerChatDeletion(ctx: Context): void {
  registerDeletionStep(ctx, 'chat', {
    erase: async ({ db, clock, storage }, { userId }, signal) => {
      const runInBatches = async (statement: SqlStatement, values: readonly unknown[]) => {
        while ((await db.run(statement, [userId, BATCH_SIZE, ...values])).length === BATCH_SIZE)
          signal?.throwIfAborted();
      };
      await runInBatches(UNSEND_BROADCASTS, []);
      const iterateIds = (statement: SqlStatement, ownerId: string, values: readonly unknown[] = []) =>
        iteratePages<{ id: string }>(
          (last, size) => db.run(statement, [ownerId, size, last?.id ?? null, ...values]),
          BATCH_SIZE,
        );
      const unsendPages = async (statement: SqlStatement, ownerId: string) => {
        for await (const _ of iterateIds(statement, ownerId, [clock.now()])) signal?.throwIfAborted();
      };
      await unsendPages(UNSEND_MESSAGES, userId);
      for await (const { id } of iterateIds(LIST_BROADCASTS, userId)) await unsendPages(UNSEND_BROADCAST_MESSAGES, id);
      await runInBatches(CLEAR_CONVERSATIONS, []);
      await db.run(DELETE_BROADCAST_CURSORS, [userId]);
      await deleteBlocks(db, userId);
      for (;;) {
        signal?.throwIfAborted();
        const ids = (await db.run<{ id: string }>(LIST_FILES, [userId, FILE_BATCH_SIZE])).map(({ id }) => id);
        // Deletes the stored file first. A row without a file is deleted by the next run, but a file without a row is
        // never found.
        for (const id of ids) await storage.remove(toChatFileKey(id));
        if (ids.length > 0) await db.run(DELETE_FILES, [ids]);
        if (ids.length < FILE_BATCH_SIZE) return;
      }
    },
  });
}
