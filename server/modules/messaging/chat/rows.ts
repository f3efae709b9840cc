import type { ChatSide, MessageType } from '@stagedoor/contract/messaging/messages.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { type Entitlement, joinEntitlement } from '../../content/entitlements/index.ts';
import type { MediaMetadata } from '../../content/media/index.ts';

export type ChatFileRow = {
  id: string;
  kind: 'document' | 'audio';
  file_name: string;
  content_type: string;
  byte_size: number;
  duration_seconds: number | null;
  waveform: number[];
};
export type MessageAttachment = { media: MediaMetadata | null; status: string | null; file: ChatFileRow | null };

export type SeqMarks = {
  creator_delivered_seq: number;
  fan_delivered_seq: number;
  creator_read_seq: number;
  fan_read_seq: number;
};

export type MessageDetails = { transactionId?: string; amountCents?: number; note?: string; call?: unknown };

export type MessageRow = SeqMarks & {
  id: string;
  /** The message's own revision plus that of its broadcast. */
  revision: number;
  conversation_revision: number;
  conversation_id: string;
  creator_id: string;
  fan_id: string;
  seq: number;
  client_id: string;
  is_from_creator: boolean;
  type: MessageType;
  text: string;
  price_cents: number;
  is_view_once: boolean;
  broadcast_id: string | null;
  details: MessageDetails | null;
  created_at: Date;
  purchased_at: Date | null;
  viewed_at: Date | null;
  viewable_until: Date | null;
  removed_at: Date | null;
  unsent_at: Date | null;
  team: { creator: string; member: string } | null;
  fan_right: Entitlement;
  files: MessageAttachment[];
};
type StoredMessage = Omit<MessageRow, 'files'> & { files: string | null };

export const attachmentsSql = (rows: string, where = ''): string =>
  `(select json_agg(json_build_object('media', nullif(d.metadata, '')::json, 'status', d.status, 'file', to_json(f.*)) order by a.position)
    from ${rows} a left join media d on d.id = a.media_id left join chat_files f on f.id = a.file_id ${where})::text`;
export const holderAttachmentsSql = (holderId: string): string =>
  attachmentsSql('chat_attachments', `where a.holder_id = ${holderId}`);

export const teamAuthorSql = (author: string, creator: string): string =>
  `case when ${author} is not null then (select json_build_object('creator', o.name, 'member', w.name) from users o, users w where o.id = ${creator} and w.id = ${author}) end`;

/** A message of a broadcast is a part of it. An unsent message is withdrawn. */
export const FAN_RIGHT = joinEntitlement({
  viewer: 'c.fan_id',
  owner: 'm.sender_id',
  subject: 'm.id',
  price: 'm.price_cents',
  access: "case when m.unsent_at is null then 'shown' else 'withdrawn' end",
  container: 'm.broadcast_id',
});

/**
 * `page` is a SELECT of whole message rows, `extra` adds columns. A generic plan cannot estimate the length of a page,
 * so related rows are looked up row by row.
 */
export function messagesStatement(name: string, page: string, { order = 'm.seq desc', extra = '' } = {}): SqlStatement {
  return {
    name,
    text: `with page as materialized (${page})
select m.id, m.revision + coalesce(b.revision, 0) as revision, m.conversation_id, c.revision as conversation_revision, c.creator_id, c.fan_id, m.seq, m.client_id, m.is_from_creator, m.type, coalesce(b.text, m.text) as text, m.price_cents,
  m.is_view_once, m.broadcast_id, m.details, m.created_at, m.purchased_at, m.viewed_at, m.viewable_until, m.removed_at, m.unsent_at, ${teamAuthorSql('m.author_id', 'c.creator_id')} as team, e.source as fan_right,
  c.creator_delivered_seq, c.fan_delivered_seq, c.creator_read_seq, c.fan_read_seq,
  case when m.type in ('text', 'tipInfo', 'videoCallInfo') then null else ${holderAttachmentsSql('coalesce(m.broadcast_id, m.id)')} end as files${extra}
from page m cross join lateral (select * from conversations where id = m.conversation_id limit 1) c ${FAN_RIGHT}
left join lateral (select text, revision from broadcasts where id = m.broadcast_id limit 1) b on true
order by ${order}`,
  };
}

export async function readMessages<Extra extends object = object>(
  db: Executor,
  statement: SqlStatement,
  values: readonly unknown[],
): Promise<(MessageRow & Extra)[]> {
  const rows = await db.run<StoredMessage & Extra>(statement, values);
  return rows.map((row) => ({ ...row, files: parseFiles(row.files) }));
}

export function parseFiles(files: string | null): MessageAttachment[] {
  return files === null ? [] : JSON.parse(files);
}

const BY_IDS = messagesStatement('chat-messages-by-ids', 'select * from messages where id = any ($1::uuid[])', {
  order: 'm.conversation_id, m.seq',
});

/** Finds messages without an access check. */
export function findMessages(db: Executor, ids: readonly string[]): Promise<MessageRow[]> {
  return readMessages(db, BY_IDS, [ids]);
}

export type ConversationDetails = SeqMarks & {
  id: string;
  revision: number;
  creator_id: string;
  fan_id: string;
  state: 'open' | 'requested' | 'declined';
  requested_at: Date | null;
  declined_at: Date | null;
  is_blocked_by_creator: boolean;
  is_blocked_by_fan: boolean;
  is_muted_by_creator: boolean;
  is_muted_by_fan: boolean;
  creator_note: string;
  fan_note: string;
  last_seq: number;
  creator_listed_at: Date | null;
  fan_listed_at: Date | null;
  creator_unread: number;
  fan_unread: number;
  creator_cleared_seq: number;
  fan_cleared_seq: number;
  broadcast_seq: number;
};

type LastMessage = {
  id: string;
  revision: number;
  seq: number;
  type: MessageType;
  text: string;
  is_from_creator: boolean;
  created_at: string;
  price_cents: number;
  purchased_at: string | null;
  details: MessageDetails | null;
  file_count: number;
};

export type ConversationRow = ConversationDetails & {
  creator_username: string;
  creator_name: string;
  creator_avatar_key: string | null;
  creator_is_gone: boolean;
  creator_is_verified: boolean;
  fan_username: string;
  fan_name: string;
  fan_avatar_key: string | null;
  fan_is_gone: boolean;
  has_sent_request: boolean;
  last: LastMessage | null;
};

const CONVERSATION_COLUMNS = `c.id, c.revision, c.creator_id, c.fan_id, c.state, c.requested_at, c.declined_at, c.is_blocked_by_creator, c.is_blocked_by_fan,
  c.is_muted_by_creator, c.is_muted_by_fan, c.creator_note, c.fan_note, c.last_seq, c.creator_listed_at, c.fan_listed_at, c.creator_unread, c.fan_unread,
  c.creator_delivered_seq, c.fan_delivered_seq, c.creator_read_seq, c.fan_read_seq, c.creator_cleared_seq, c.fan_cleared_seq, c.broadcast_seq`;

/** `page` is a SELECT of conversation ids. */
export function conversationsStatement(name: string, side: ChatSide, page: string): SqlStatement {
  return {
    name: `${name}-${side}`,
    text: `with page as materialized (${page})
select ${CONVERSATION_COLUMNS}, cu.username as creator_username, cu.name as creator_name, cu.avatar_key as creator_avatar_key, cu.is_blocked as creator_is_gone,
  cr.is_verified as creator_is_verified, fu.username as fan_username, fu.name as fan_name, fu.avatar_key as fan_avatar_key, fu.is_blocked as fan_is_gone,
  c.state = 'requested' and exists (select from messages q where q.conversation_id = c.id and not q.is_from_creator and q.type = 'text'
    and q.unsent_at is null and q.created_at >= c.requested_at) as has_sent_request,
  (select to_jsonb(l) from (
    select m.id, m.revision + coalesce(b.revision, 0) as revision, m.seq, m.type, left(coalesce(b.text, m.text), 200) as text, m.is_from_creator, m.created_at, m.price_cents, m.purchased_at, m.details,
      (select count(*)::int from chat_attachments a where m.type not in ('text', 'tipInfo', 'videoCallInfo') and a.holder_id = coalesce(m.broadcast_id, m.id)) as file_count
    from messages m left join lateral (select text, revision from broadcasts where id = m.broadcast_id limit 1) b on true
    where m.conversation_id = c.id and m.seq > c.${side}_cleared_seq and m.unsent_at is null and not m.is_hidden_from_${side}
    order by m.seq desc limit 1) l) as last
from page cross join lateral (select * from conversations where id = page.id limit 1) c
cross join lateral (select * from users where id = c.creator_id limit 1) cu cross join lateral (select * from users where id = c.fan_id limit 1) fu
cross join lateral (select * from creators where user_id = c.creator_id limit 1) cr order by c.${side}_listed_at desc nulls last, c.id desc`,
  };
}

const FIND_BY_ID: SqlStatement = {
  name: 'chat-conversation-by-id',
  text: `select ${CONVERSATION_COLUMNS}, coalesce(b.last_seq, 0) > c.broadcast_seq as is_behind from conversations c left join broadcasters b on b.creator_id = c.creator_id where c.id = $1`,
};
const FIND_BY_PAIR: SqlStatement = {
  name: 'chat-conversation-by-pair',
  text: `select ${CONVERSATION_COLUMNS}, coalesce(b.last_seq, 0) > c.broadcast_seq as is_behind from conversations c left join broadcasters b on b.creator_id = c.creator_id
    where c.fan_id = $1 and c.creator_id = $2`,
};
/** `is_behind` means that broadcasts may not be delivered yet. */
export type FoundConversation = ConversationDetails & { is_behind: boolean };

export async function findConversation(db: Executor, id: string): Promise<FoundConversation | undefined> {
  return (await db.run<FoundConversation>(FIND_BY_ID, [id]))[0];
}

export async function findConversationByPair(
  db: Executor,
  fanId: string,
  creatorId: string,
): Promise<FoundConversation | undefined> {
  return (await db.run<FoundConversation>(FIND_BY_PAIR, [fanId, creatorId]))[0];
}

const FIND_ROW = {
  creator: conversationsStatement('chat-conversation', 'creator', 'select $1::uuid as id'),
  fan: conversationsStatement('chat-conversation', 'fan', 'select $1::uuid as id'),
};

export async function findConversationRow(
  db: Executor,
  side: ChatSide,
  id: string,
): Promise<ConversationRow | undefined> {
  return (await db.run<ConversationRow>(FIND_ROW[side], [id]))[0];
}
