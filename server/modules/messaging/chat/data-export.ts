import type { Context } from '../../../platform/context.ts';
import type { SqlStatement } from '../../../platform/database/db.ts';
import { afterIdSql, beforeIdSql } from '../../../platform/database/pagination.ts';
import { iteratePages, registerExportPart } from '../../identity/data-export/index.ts';
import { toChatFileKey } from './outbox/forms.ts';
import * as texts from './texts.ts';

type ExportedConversation = { id: string };
const CONVERSATIONS: SqlStatement = {
  name: 'chat-export-conversations',
  text: `select c.id, o.username as with, c.state, c.created_at as "startedAt",
      case when c.fan_id = $1 then c.fan_note else c.creator_note end as "yourNote",
      case when c.fan_id = $1 then c.is_muted_by_fan else c.is_muted_by_creator end as "isMuted",
      case when c.fan_id = $1 then c.is_blocked_by_fan else c.is_blocked_by_creator end as "isBlocked"
    from conversations c join users o on o.id = case when c.fan_id = $1 then c.creator_id else c.fan_id end
    where (c.fan_id = $1 or c.creator_id = $1) and ${afterIdSql('c.id', '$2')} order by c.id limit $3`,
};

type ExportedMessage = { seq: number; fileIds: string[] } & Record<string, unknown>;
/**
 * An unsent message keeps its text for its sender and its buyer, a message taken down by an operator only for its
 * sender. Media are exported by the media module and only named here.
 */
const MESSAGES: SqlStatement = {
  name: 'chat-export-messages',
  text: `select m.seq, case when m.sender_id = $2 then 'you' else 'them' end as "from", m.created_at as at, m.type,
      case when m.unsent_at is null or m.sender_id = $2 or (m.purchased_at is not null and m.taken_down_at is null) then coalesce(b.text, m.text) else '' end as text,
      case when m.author_id is not null then (select case when m.sender_id = $2 then w.name else o.name || '’s team' end from users o, users w
        where o.id = m.sender_id and w.id = m.author_id) end as "writtenBy",
      m.price_cents / 100.0 as price, m.purchased_at as "purchasedAt", m.unsent_at as "unsentAt",
      case when m.sender_id = $2 then array(select coalesce(a.media_id, a.file_id) from chat_attachments a
        where a.holder_id = coalesce(m.broadcast_id, m.id) order by a.position) else '{}' end as "fileIds"
    from messages m left join broadcasts b on b.id = m.broadcast_id join conversations c on c.id = m.conversation_id
    where m.conversation_id = $1 and m.seq > $3
      and not case when c.fan_id = $2 then m.is_hidden_from_fan or m.seq <= c.fan_cleared_seq
        else m.is_hidden_from_creator or m.seq <= c.creator_cleared_seq end
    order by m.seq limit $4`,
};

type ExportedBroadcast = { id: string };
const BROADCASTS: SqlStatement = {
  name: 'chat-export-broadcasts',
  text: `select b.id, b.created_at as "writtenAt", b.audience, b.text, b.price_cents / 100.0 as price, b.state, b.scheduled_at as "scheduledFor",
      b.sent_at as "sentAt", b.recipient_count as "recipientCount", w.name as "writtenBy",
      array(select coalesce(a.media_id, a.file_id) from chat_attachments a where a.holder_id = b.id order by a.position) as "fileIds"
    from broadcasts b left join users w on w.id = b.author_id
    where b.creator_id = $1 and ${beforeIdSql('b.id', '$2')} order by b.id desc limit $3`,
};

type ExportedFile = { id: string; fileName: string };
const FILES: SqlStatement = {
  name: 'chat-export-files',
  text: `select id, file_name as "fileName" from chat_files where owner_id = $1 and ${afterIdSql('id', '$2')} order by id limit $3`,
};

const iterateConversations = ({ db }: Pick<Context, 'db'>, userId: string) =>
  iteratePages<ExportedConversation & { with: string }>((last, size) =>
    db.run(CONVERSATIONS, [userId, last?.id ?? null, size]),
  );

const getExtension = (name: string) => /\.([a-z0-9]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? 'bin';

export function registerChatExport(ctx: Context): void {
  registerExportPart(ctx, {
    name: 'conversations',
    title: 'Chats',
    description: texts.chatsExportDescription,
    entries: (from, { id }) => iterateConversations(from, id),
  });
  registerExportPart(ctx, {
    name: 'broadcasts',
    title: 'Broadcasts',
    description: texts.broadcastsExportDescription,
    entries: ({ db }, { id }) =>
      iteratePages<ExportedBroadcast>((last, size) =>
        db.run<ExportedBroadcast>(BROADCASTS, [id, last?.id ?? null, size]),
      ),
  });
  registerExportPart(ctx, {
    name: 'messages',
    title: 'Messages',
    description: texts.messagesExportDescription,
    entries: async function* (from, { id }) {
      for await (const conversation of iterateConversations(from, id))
        for await (const message of iteratePages<ExportedMessage>((last, size) =>
          from.db.run(MESSAGES, [conversation.id, id, last?.seq ?? 0, size]),
        )) {
          const { seq: _seq, ...fields } = message;
          yield { with: conversation.with, ...fields };
        }
    },
    files: async function* ({ db }, { id }) {
      for await (const file of iteratePages<ExportedFile>((last, size) => db.run(FILES, [id, last?.id ?? null, size])))
        yield { path: `files/${file.id}.${getExtension(file.fileName)}`, key: toChatFileKey(file.id) };
    },
  });
}
