/** Account deletion in chat: erases the user's texts and files, except what the other side bought. */
import type { Context } from '../../kernel/context.ts';
import type { Statement } from '../../kernel/db.ts';
import { afterId } from '../../kernel/offset.ts';
import { inPages } from '../archive/index.ts';
import { forgetApart } from '../blocks/index.ts';
import { registerClosing } from '../closing/index.ts';
import { fileKey } from './outbox/forms.ts';

const AT_ONCE = 500;
const FILES_AT_ONCE = 50;

const BROADCASTS: Statement = {
  name: 'chat-closing-broadcasts',
  text: `update broadcasts b set text = '', state = case b.state when 'scheduled' then 'cancelled' when 'sent' then 'unsent' else b.state end
    where b.id in (select n.id from broadcasts n where n.creator_id = $1 and (n.text <> '' or n.state in ('scheduled', 'sent'))
      and not exists (select from broadcast_counts c where c.broadcast_id = n.id and c.purchased > 0) limit $2) returning 1 as gone`,
};
/**
 * A message that was unsent before loses its text, too. A message taken down by an operator can no longer be restored.
 */
const taken = (page: string) => `with page as materialized (${page}),
    taken as (update messages m set text = '', unsent_at = coalesce(m.unsent_at, $4), withheld_at = null from page p where m.id = p.id)
    select place as id from page order by place`;
const NOT_BOUGHT = `m.purchased_at is null and (m.unsent_at is null or m.withheld_at is not null or m.text <> '') and m.type not in ('tipInfo', 'videoCallInfo')`;
/**
 * The user's own messages, in the order of an existing index, so that sending a message does not have to maintain
 * another one.
 */
const MESSAGES: Statement = {
  name: 'chat-closing-messages',
  text: taken(
    `select m.id, m.client_id as place from messages m where m.sender_id = $1 and m.broadcast_id is null and ${afterId('m.client_id', '$3')}
      and ${NOT_BOUGHT} order by m.client_id limit $2`,
  ),
};
const OWN_BROADCASTS: Statement = {
  name: 'chat-closing-own-broadcasts',
  text: `select id from broadcasts where creator_id = $1 and ${afterId('id', '$3')} order by id limit $2`,
};
const OF_BROADCAST: Statement = {
  name: 'chat-closing-of-broadcast',
  text: taken(
    `select m.id, m.conversation_id as place from messages m where m.broadcast_id = $1 and ${afterId('m.conversation_id', '$3')}
      and ${NOT_BOUGHT} order by m.conversation_id limit $2`,
  ),
};
const CONVERSATIONS: Statement = {
  name: 'chat-closing-conversations',
  text: `update conversations c set creator_note = case when c.creator_id = $1 then '' else c.creator_note end, fan_note = case when c.fan_id = $1 then '' else c.fan_note end,
      creator_at = case when c.creator_id = $1 then null else c.creator_at end, fan_at = case when c.fan_id = $1 then null else c.fan_at end,
      creator_unread = 0, fan_unread = 0
    where c.id in (
      select id from conversations where creator_id = $1 and (creator_note <> '' or creator_at is not null or creator_unread > 0 or fan_unread > 0)
      union all select id from conversations where fan_id = $1 and (fan_note <> '' or fan_at is not null or creator_unread > 0 or fan_unread > 0)
      limit $2) returning 1 as gone`,
};
const FILES: Statement = {
  name: 'chat-closing-files',
  text: `select f.id from chat_files f where f.owner_id = $1 and not exists (
      select from chat_attachments a join messages m on m.id = a.holder_id or m.broadcast_id = a.holder_id
      where a.file_id = f.id and m.purchased_at is not null) limit $2`,
};
const NO_FILES: Statement = {
  name: 'chat-closing-no-files',
  text: 'delete from chat_files where id = any ($1::uuid[])',
};

const CATCH_UPS: Statement = {
  name: 'chat-closing-catch-ups',
  text: 'delete from chat_catch_ups where fan_id = $1',
};

export function registerChatClosing(ctx: Context): void {
  registerClosing(ctx, 'chat', {
    erase: async ({ db, clock, storage }, { userId }, signal) => {
      const whole = async (statement: Statement, values: readonly unknown[]) => {
        while ((await db.run(statement, [userId, AT_ONCE, ...values])).length === AT_ONCE) signal?.throwIfAborted();
      };
      await whole(BROADCASTS, []);
      const pages = (statement: Statement, of: string, values: readonly unknown[] = []) =>
        inPages<{ id: string }>((last, size) => db.run(statement, [of, size, last?.id ?? null, ...values]), AT_ONCE);
      const take = async (statement: Statement, of: string) => {
        for await (const _ of pages(statement, of, [clock.now()])) signal?.throwIfAborted();
      };
      await take(MESSAGES, userId);
      for await (const { id } of pages(OWN_BROADCASTS, userId)) await take(OF_BROADCAST, id);
      await whole(CONVERSATIONS, []);
      await db.run(CATCH_UPS, [userId]);
      await forgetApart(db, userId);
      for (;;) {
        signal?.throwIfAborted();
        const ids = (await db.run<{ id: string }>(FILES, [userId, FILES_AT_ONCE])).map(({ id }) => id);
        // Deletes the stored file first. A row without a file is deleted by the next run, but a file without a row is
        // never found.
        for (const id of ids) await storage.remove(fileKey(id));
        if (ids.length > 0) await db.run(NO_FILES, [ids]);
        if (ids.length < FILES_AT_ONCE) return;
      }
    },
  });
}
