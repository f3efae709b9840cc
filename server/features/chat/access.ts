import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { CHAT_LIMITS } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Side } from '@stagedoor/contract/messages.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Statement } from '../../kernel/db.ts';
import { hiddenHere, isHiddenHere, requireSeenHere } from '../../kernel/places.ts';
import type { Actor } from '../../kernel/session.ts';
import { FAN_RIGHT, type FoundConversation, findConversation, findMessages, type MessageRow } from './rows.ts';

/** Throws FORBIDDEN for operators, who are on neither side. */
export function sideOf(actor: Actor): Side {
  if (actor.type === 'operator') throw new AppError('FORBIDDEN');
  return actor.type === 'creator' ? 'creator' : 'fan';
}

export function otherOf(side: Side, row: { creator_id: string; fan_id: string }): string {
  return side === 'creator' ? row.fan_id : row.creator_id;
}

/** Returns a conversation of the actor. Throws NOT_FOUND for any other, and where the creator is geo-blocked. */
export async function accessConversation(db: Executor, actor: Actor, id: string): Promise<FoundConversation> {
  const side = sideOf(actor);
  const unsafeConversation = await findConversation(db, id);
  if (!unsafeConversation || unsafeConversation[`${side}_id`] !== actor.userId) throw new AppError('NOT_FOUND');
  requireSeenHere(unsafeConversation.creator_id);
  return unsafeConversation;
}

/** Whether the other user blocked this side before any message was sent. For this side that user does not exist. */
export function isSilentlyApart(
  row: { last_seq: number; is_blocked_by_creator: boolean; is_blocked_by_fan: boolean },
  side: Side,
): boolean {
  const [byOther, byOwn] =
    side === 'creator'
      ? [row.is_blocked_by_fan, row.is_blocked_by_creator]
      : [row.is_blocked_by_creator, row.is_blocked_by_fan];
  return row.last_seq === 0 && byOther && !byOwn;
}

/** Throws NOT_FOUND when the creator is geo-blocked where the actor is. */
export async function requireSeenReceiver(
  db: Executor,
  actor: Actor,
  { conversationId, receiverId }: { conversationId?: string | undefined; receiverId?: string | undefined },
): Promise<void> {
  if (hiddenHere().length === 0) return;
  if (receiverId !== undefined) requireSeenHere(receiverId);
  if (conversationId !== undefined) await accessConversation(db, actor, conversationId);
}

/** Throws NOT_FOUND for unsent messages and those of other users. */
export async function accessMessage(db: Executor, actor: Actor, id: string): Promise<MessageRow> {
  const side = sideOf(actor);
  const [unsafeMessage] = await findMessages(db, [id]);
  if (!unsafeMessage || unsafeMessage[`${side}_id`] !== actor.userId || unsafeMessage.unsent_at)
    throw new AppError('NOT_FOUND');
  if (unsafeMessage.fan_right !== 'purchase') requireSeenHere(unsafeMessage.creator_id);
  return unsafeMessage;
}

/**
 * The files of a message are open to its sender, and to a receiver with a right to them. View-once files are open to
 * the receiver only from opening until closing or expiry.
 */
export function isOpenTo(
  message: Pick<
    MessageRow,
    'is_from_creator' | 'fan_right' | 'is_view_once' | 'viewed_at' | 'viewable_until' | 'removed_at'
  >,
  side: Side,
  now: Date,
): boolean {
  if (message.removed_at) return false;
  if (message.is_from_creator === (side === 'creator')) return true;
  if (message.fan_right === null) return false;
  if (!message.is_view_once) return true;
  return message.viewed_at !== null && message.viewable_until !== null && message.viewable_until > now;
}

const STATE =
  'c.creator_id, m.is_from_creator, e.source as fan_right, m.is_view_once, m.viewed_at, m.viewable_until, m.removed_at';
/** Purchased files stay open after the message is unsent. */
const HOLDS = "(m.unsent_at is null or e.source = 'purchase')";
const direct = (column: string, side: Side) =>
  `select ${STATE} from chat_attachments a join messages m on m.id = a.holder_id join conversations c on c.id = m.conversation_id ${FAN_RIGHT}
    where a.${column} = $1 and c.${side}_id = $2 and ${HOLDS}`;
const broadcast = (column: string) =>
  `select ${STATE} from chat_attachments a join broadcasts b on b.id = a.holder_id join conversations c on c.fan_id = $2 and c.creator_id = b.creator_id
    join messages m on m.broadcast_id = b.id and m.conversation_id = c.id ${FAN_RIGHT} where a.${column} = $1 and ${HOLDS}`;

type FileColumn = 'media_id' | 'file_id';
function granted(column: FileColumn, side: Side): Statement {
  const text = side === 'fan' ? `${direct(column, side)} union all ${broadcast(column)}` : direct(column, side);
  return { name: `chat-granted-${column}-${side}`, text };
}
const GRANTS = {
  media_id: { creator: granted('media_id', 'creator'), fan: granted('media_id', 'fan') },
  file_id: { creator: granted('file_id', 'creator'), fan: granted('file_id', 'fan') },
};
type Granted = Parameters<typeof isOpenTo>[0] & { creator_id: string };

export async function maySeeFile(ctx: Context, actor: Actor, column: FileColumn, id: string): Promise<boolean> {
  if (actor.type === 'operator') return false;
  const side = sideOf(actor);
  const rows = await ctx.db.run<Granted>(GRANTS[column][side], [id, actor.userId]);
  const isSeen = (row: Granted) => row.fan_right === 'purchase' || !isHiddenHere(row.creator_id);
  return rows.some((row) => isSeen(row) && isOpenTo(row, side, ctx.clock.now()));
}

const REFUSALS: Readonly<Record<string, string>> = {
  gone: 'This account no longer exists.',
  blocked: 'You can’t message this person.',
  waiting: 'Your request is pending. You can send a tip, but no more messages until it’s accepted.',
  followers: 'This creator only accepts messages from followers.',
  request: 'Your first message can only contain text. You can send files once it’s accepted.',
  requests: `You’ve messaged ${CHAT_LIMITS.requestsADay} new creators today. Try again tomorrow.`,
};

export function refusalError(refusal: string): AppError {
  if (refusal === 'none') return new AppError('NOT_FOUND');
  if (refusal === 'conflict') return new AppError('CONFLICT', { message: 'This id was used for another message.' });
  return new AppError(refusal === 'requests' ? 'RATE_LIMITED' : 'FORBIDDEN', {
    message: REFUSALS[refusal] ?? 'You don’t have permission to do this.',
  });
}
