import type { ChatSide } from '@stagedoor/contract/messaging/messages.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor, SqlStatement } from '../../../platform/database/db.ts';
import { isGeoBlocked, listGeoBlockedIds, requireNotGeoBlocked } from '../../../platform/geo.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { FAN_RIGHT, type FoundConversation, findConversation, findMessages, type MessageRow } from './rows.ts';
import * as texts from './texts.ts';

/** Throws FORBIDDEN for operators, who are on neither side. */
export function getChatSide(actor: Actor): ChatSide {
  if (actor.type === 'operator') throw new AppError('FORBIDDEN');
  return actor.type === 'creator' ? 'creator' : 'fan';
}

export function getOtherUserId(side: ChatSide, row: { creator_id: string; fan_id: string }): string {
  return side === 'creator' ? row.fan_id : row.creator_id;
}

/** Returns a conversation of the actor. Throws NOT_FOUND for any other, and where the creator is geo-blocked. */
export async function accessConversation(db: Executor, actor: Actor, id: string): Promise<FoundConversation> {
  const side = getChatSide(actor);
  const unsafeConversation = await findConversation(db, id);
  if (!unsafeConversation || unsafeConversation[`${side}_id`] !== actor.userId) throw new AppError('NOT_FOUND');
  requireNotGeoBlocked(unsafeConversation.creator_id);
  return unsafeConversation;
}

/** Whether the other user blocked this side before any message was sent. For this side that user does not exist. */
export function isHiddenByBlock(
  row: { last_seq: number; is_blocked_by_creator: boolean; is_blocked_by_fan: boolean },
  side: ChatSide,
): boolean {
  const [isBlockedByOther, isBlockedByOwn] =
    side === 'creator'
      ? [row.is_blocked_by_fan, row.is_blocked_by_creator]
      : [row.is_blocked_by_creator, row.is_blocked_by_fan];
  return row.last_seq === 0 && isBlockedByOther && !isBlockedByOwn;
}

/** Throws NOT_FOUND when the creator is geo-blocked where the actor is. */
export async function requireReceiverNotGeoBlocked(
  db: Executor,
  actor: Actor,
  { conversationId, receiverId }: { conversationId?: string | undefined; receiverId?: string | undefined },
): Promise<void> {
  if (listGeoBlockedIds().length === 0) return;
  if (receiverId !== undefined) requireNotGeoBlocked(receiverId);
  if (conversationId !== undefined) await accessConversation(db, actor, conversationId);
}

/** Throws NOT_FOUND for unsent messages and those of other users. */
export async function accessMessage(db: Executor, actor: Actor, id: string): Promise<MessageRow> {
  const side = getChatSide(actor);
  const [unsafeMessage] = await findMessages(db, [id]);
  if (!unsafeMessage || unsafeMessage[`${side}_id`] !== actor.userId || unsafeMessage.unsent_at)
    throw new AppError('NOT_FOUND');
  if (unsafeMessage.fan_right !== 'purchase') requireNotGeoBlocked(unsafeMessage.creator_id);
  return unsafeMessage;
}

/**
 * The files of a message are open to its sender, and to a receiver with a right to them. View-once files are open to
 * the receiver only from opening until closing or expiry.
 */
export function canOpenFiles(
  message: Pick<
    MessageRow,
    'is_from_creator' | 'fan_right' | 'is_view_once' | 'viewed_at' | 'viewable_until' | 'removed_at'
  >,
  side: ChatSide,
  now: Date,
): boolean {
  if (message.removed_at) return false;
  if (message.is_from_creator === (side === 'creator')) return true;
  if (message.fan_right === null) return false;
  if (!message.is_view_once) return true;
  return message.viewed_at !== null && message.viewable_until !== null && message.viewable_until > now;
}

const ACCESS_COLUMNS =
  'c.creator_id, m.is_from_creator, e.source as fan_right, m.is_view_once, m.viewed_at, m.viewable_until, m.removed_at';
/** Purchased files stay open after the message is unsent. */
const IS_AVAILABLE = "(m.unsent_at is null or e.source = 'purchase')";
const directFilesSql = (column: string, side: ChatSide) =>
  `select ${ACCESS_COLUMNS} from chat_attachments a join messages m on m.id = a.holder_id join conversations c on c.id = m.conversation_id ${FAN_RIGHT}
    where a.${column} = $1 and c.${side}_id = $2 and ${IS_AVAILABLE}`;
const broadcastFilesSql = (column: string) =>
  `select ${ACCESS_COLUMNS} from chat_attachments a join broadcasts b on b.id = a.holder_id join conversations c on c.fan_id = $2 and c.creator_id = b.creator_id
    join messages m on m.broadcast_id = b.id and m.conversation_id = c.id ${FAN_RIGHT} where a.${column} = $1 and ${IS_AVAILABLE}`;

type FileColumn = 'media_id' | 'file_id';
function createGrantStatement(column: FileColumn, side: ChatSide): SqlStatement {
  const text =
    side === 'fan'
      ? `${directFilesSql(column, side)} union all ${broadcastFilesSql(column)}`
      : directFilesSql(column, side);
  return { name: `chat-granted-${column}-${side}`, text };
}
const GRANT_STATEMENTS = {
  media_id: { creator: createGrantStatement('media_id', 'creator'), fan: createGrantStatement('media_id', 'fan') },
  file_id: { creator: createGrantStatement('file_id', 'creator'), fan: createGrantStatement('file_id', 'fan') },
};
type GrantRow = Parameters<typeof canOpenFiles>[0] & { creator_id: string };

export async function canViewFile(ctx: Context, actor: Actor, column: FileColumn, id: string): Promise<boolean> {
  if (actor.type === 'operator') return false;
  const side = getChatSide(actor);
  const rows = await ctx.db.run<GrantRow>(GRANT_STATEMENTS[column][side], [id, actor.userId]);
  const isVisible = (row: GrantRow) => row.fan_right === 'purchase' || !isGeoBlocked(row.creator_id);
  return rows.some((row) => isVisible(row) && canOpenFiles(row, side, ctx.clock.now()));
}

const REFUSAL_MESSAGES: Readonly<Record<string, string>> = {
  gone: texts.accountNoLongerExists,
  blocked: texts.cannotMessageUser,
  waiting: texts.messageRequestPending,
  followers: texts.followersOnlyMessages,
  subscribers: texts.subscribersOnlyMessages,
  request: texts.firstMessageTextOnly,
  requests: formatText(texts.newCreatorsDailyLimit, { count: CHAT_LIMITS.requestsPerDay }),
};

export function toRefusalError(refusal: string): AppError {
  if (refusal === 'none') return new AppError('NOT_FOUND');
  if (refusal === 'conflict') return new AppError('CONFLICT', { message: texts.messageIdReused });
  return new AppError(refusal === 'requests' ? 'RATE_LIMITED' : 'FORBIDDEN', {
    message: REFUSAL_MESSAGES[refusal] ?? texts.permissionDenied,
  });
}
