/** The creator's sent broadcasts as a thread under the key `broadcast` (row E8). */

import type { getMessageList } from '@stagedoor/contract/messaging/chat.ts';
import { BROADCAST_KEY, type MessageType } from '@stagedoor/contract/messaging/messages.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../../platform/context.ts';
import type { SqlStatement } from '../../../../platform/database/db.ts';
import { parseOffset, toCursor } from '../../../../platform/database/pagination.ts';
import type { Actor } from '../../../../platform/security/session.ts';
import { getInitialEntitlement } from '../../../content/entitlements/index.ts';
import { type MessageView, presentMessage } from '../present.ts';
import { holderAttachmentsSql, parseFiles, teamAuthorSql } from '../rows.ts';
import * as texts from '../texts.ts';

export type BroadcastMessageRow = {
  id: string;
  revision: number;
  creator_id: string;
  client_id: string;
  seq: number | null;
  type: MessageType;
  text: string;
  price_cents: number;
  is_view_once: boolean;
  created_at: Date;
  sent_at: Date | null;
  files: string | null;
  team: { creator: string; member: string } | null;
};
export const BROADCAST_COLUMNS = `b.id, b.revision, b.creator_id, b.client_id, b.seq, b.type, b.text, b.price_cents, b.is_view_once, b.created_at, b.sent_at,
  ${teamAuthorSql('b.author_id', 'b.creator_id')} as team,
  case when b.type = 'text' then null else ${holderAttachmentsSql('b.id')} end as files`;

export function presentBroadcastMessage(row: BroadcastMessageRow, now: Date): MessageView {
  const marks = { creator_delivered_seq: 0, fan_delivered_seq: 0, creator_read_seq: 0, fan_read_seq: 0 };
  const message = presentMessage(
    {
      ...marks,
      ...row,
      conversation_id: BROADCAST_KEY,
      conversation_revision: 0,
      fan_id: row.creator_id,
      seq: row.seq ?? 0,
      is_from_creator: true,
      broadcast_id: row.id,
      details: null,
      created_at: row.sent_at ?? row.created_at,
      purchased_at: null,
      viewed_at: null,
      viewable_until: null,
      removed_at: null,
      unsent_at: null,
      fan_right: getInitialEntitlement(false, row.price_cents),
      files: parseFiles(row.files),
    },
    'creator',
    now,
  );
  return { ...message, status: 'sent' };
}

const PAGE: SqlStatement = {
  name: 'chat-broadcast-thread',
  text: `select ${BROADCAST_COLUMNS} from broadcasts b where b.creator_id = $1 and b.state = 'sent' and b.seq < $2 and b.seq > $3 order by b.seq desc offset $4 limit $5`,
};

const LAST_SEQ: SqlStatement = {
  name: 'chat-broadcast-last',
  text: 'select last_seq as seq from broadcasters where creator_id = $1',
};

/** Throws NOT_FOUND for users who are not creators. */
export async function listBroadcastMessages(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof getMessageList>,
): Promise<ResponseInputOf<typeof getMessageList>> {
  if (actor.type !== 'creator') throw new AppError('NOT_FOUND');
  const { skip, after } = parseOffset(query.offset);
  if (after !== undefined && !/^\d{1,15}$/.test(after)) throw createFieldError('offset', texts.invalidOffset);
  const maxSeq = after === undefined ? (query.before ?? Number.MAX_SAFE_INTEGER) : Number(after);
  const values = [actor.userId, maxSeq, query.after ?? 0, skip, query.limit + 1];
  // Read before the page, so that the page contains at least everything up to this seq.
  const [lastSent] = await ctx.db.run<{ seq: number }>(LAST_SEQ, [actor.userId]);
  const rows = await ctx.db.run<BroadcastMessageRow>(PAGE, values);
  const data = rows.slice(0, query.limit);
  const last = data.at(-1);
  const now = ctx.clock.now();
  return {
    data: data.map((row) => presentBroadcastMessage(row, now)),
    limit: query.limit,
    lastSeq: lastSent?.seq ?? 0,
    ...(rows.length > query.limit && last ? { nextOffset: toCursor(String(last.seq).padStart(8, '0')) } : {}),
  };
}
