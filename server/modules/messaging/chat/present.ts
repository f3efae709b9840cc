import { PRIVATE_ASSET_PATH } from '@stagedoor/contract/content/posts.ts';
import { CALL_END_REASONS } from '@stagedoor/contract/messaging/call-states.ts';
import type { ChatSide, conversation, message } from '@stagedoor/contract/messaging/messages.ts';
import { formatTeamName } from '@stagedoor/contract/shared/delegation.ts';
import { asCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import { presentPostMedia } from '../../content/media/index.ts';
import { toAvatarUrl } from '../../identity/accounts/index.ts';
import { getPresence } from '../../identity/presence/index.ts';
import { canOpenFiles } from './access.ts';
import type { ChatFileRow, ConversationRow, MessageDetails, MessageRow } from './rows.ts';

export type MessageView = z.input<typeof message>;
export type ConversationView = z.input<typeof conversation>;

/** `tblType` of files in messages (row C9). */
export const CHAT_TABLE = 'chat';
/** The address of a document or voice note. `tblType` names the right by which it is loaded. */
export const toFileUrl = (id: string, tblType: string = CHAT_TABLE) =>
  `/api${PRIVATE_ASSET_PATH}?fileKey=d/${id}&tblType=${tblType}`;

type MessageSeqs = Pick<
  MessageRow,
  'seq' | 'is_from_creator' | 'creator_delivered_seq' | 'fan_delivered_seq' | 'creator_read_seq' | 'fan_read_seq'
>;

export function toMessageStatus(row: MessageSeqs): 'sent' | 'delivered' | 'read' {
  const read = row.is_from_creator ? row.fan_read_seq : row.creator_read_seq;
  const delivered = row.is_from_creator ? row.fan_delivered_seq : row.creator_delivered_seq;
  return row.seq <= read ? 'read' : row.seq <= delivered ? 'delivered' : 'sent';
}

function presentFile(file: ChatFileRow, isOpen: boolean) {
  const url = isOpen ? toFileUrl(file.id) : null;
  return { id: file.id, byteSize: file.byte_size, url };
}

function presentTip(details: MessageDetails | null): MessageView['tip'] {
  if (details?.transactionId === undefined || details.amountCents === undefined) return null;
  return {
    amount: toUsd(asCents(details.amountCents)),
    note: details.note ?? '',
    transactionId: details.transactionId,
  };
}

const callDetails = z.object({
  callLogId: z.string(),
  kind: z.enum(['video', 'audio']),
  status: z.string(),
  reason: z.catch(z.nullable(z.enum(CALL_END_REASONS)), null),
  durationSeconds: z.number(),
  amountCents: z.number(),
  netCents: z.optional(z.number()),
});

/** To the fan, a declined call looks busy. The amount is what the fan paid, or what the creator earned. */
function presentCall(details: MessageDetails | null, side: ChatSide): MessageView['call'] {
  const parsed = z.safeParse(callDetails, details?.call);
  if (!parsed.success) return null;
  const { amountCents, netCents, reason, ...rest } = parsed.data;
  const shownReason = side === 'fan' && reason === 'declined' ? 'busy' : reason;
  return {
    ...rest,
    reason: shownReason,
    amount: toUsd(asCents(side === 'fan' ? amountCents : (netCents ?? amountCents))),
  };
}

/**
 * The author when a team member wrote the message. The creator sees which member, the fan only that it was the team.
 */
function presentTeamAuthor({ team }: MessageRow, side: ChatSide): Pick<MessageView, 'teamAuthor'> {
  return team
    ? { teamAuthor: { name: formatTeamName(team.creator), member: side === 'creator' ? team.member : null } }
    : {};
}

/** A message for one side. Of locked files it contains only previews. */
export function presentMessage(row: MessageRow, side: ChatSide, now: Date): MessageView {
  const isOpen = canOpenFiles(row, side, now);
  const isRemoved = row.removed_at !== null;
  const visibleFiles = isRemoved ? [] : row.files;
  const ready = visibleFiles.flatMap(({ media, status }) => (media && status === 'ready' ? [media] : []));
  const files = visibleFiles.flatMap(({ file }) => file ?? []);
  const voice = files.find(({ kind }) => kind === 'audio');
  return {
    id: row.id,
    revision: row.revision,
    conversationId: row.conversation_id,
    clientId: row.client_id,
    seq: row.seq,
    ownerType: row.is_from_creator ? 'creator' : 'customer',
    ownerId: row.is_from_creator ? row.creator_id : row.fan_id,
    createdAt: row.created_at.toISOString(),
    status: toMessageStatus(row),
    type: row.type,
    text: row.text,
    media: ready.map((item) => presentPostMedia(item, '', isOpen, CHAT_TABLE)),
    documents: files
      .filter(({ kind }) => kind === 'document')
      .map((file) => ({ ...presentFile(file, isOpen), fileName: file.file_name })),
    voice: voice
      ? {
          ...presentFile(voice, isOpen),
          fileType: voice.content_type,
          durationSeconds: voice.duration_seconds ?? 0,
          waveform: voice.waveform,
        }
      : null,
    pendingMedia: visibleFiles.filter(({ status }) => status === 'uploading' || status === 'processing').length,
    price: toUsd(row.price_cents),
    isPurchased: row.purchased_at !== null,
    purchasedAt: row.purchased_at?.toISOString() ?? null,
    isViewOnce: row.is_view_once,
    viewedAt: row.viewed_at?.toISOString() ?? null,
    isRemoved,
    tip: row.type === 'tipInfo' ? presentTip(row.details) : null,
    call: row.type === 'videoCallInfo' ? presentCall(row.details, side) : null,
    broadcastId: side === 'creator' ? row.broadcast_id : null,
    ...presentTeamAuthor(row, side),
  };
}

type ChatRefusal = ConversationView['info']['refusal'];

/** Why that side may not write now, if so. To the fan a declined request looks pending. */
function findRefusal(row: ConversationRow, side: ChatSide, now: Date, declinedMs: number): ChatRefusal {
  if (side === 'creator' ? row.fan_is_gone : row.creator_is_gone) return 'gone';
  if (row.is_blocked_by_creator || row.is_blocked_by_fan) return 'blocked';
  if (side === 'creator') return null;
  if (row.state === 'requested') return row.has_sent_request ? 'waiting' : null;
  if (row.state === 'declined' && row.declined_at && now.getTime() < row.declined_at.getTime() + declinedMs)
    return 'waiting';
  return null;
}

function toRequestState(row: ConversationRow, side: ChatSide): ConversationView['info']['request'] {
  if (row.state === 'open') return 'accept';
  return row.state === 'declined' && side === 'creator' ? 'decline' : 'requested';
}

function presentLastMessage(row: ConversationRow, side: ChatSide): ConversationView['lastMessage'] {
  const { last } = row;
  if (!last) return null;
  return {
    id: last.id,
    revision: last.revision,
    seq: last.seq,
    type: last.type,
    text: last.text,
    ownerType: last.is_from_creator ? 'creator' : 'customer',
    status: toMessageStatus({ ...row, seq: last.seq, is_from_creator: last.is_from_creator }),
    createdAt: new Date(last.created_at).toISOString(),
    price: toUsd(asCents(last.price_cents)),
    isPurchased: last.purchased_at !== null,
    fileCount: last.file_count,
    tip: last.type === 'tipInfo' ? presentTip(last.details) : null,
    call: last.type === 'videoCallInfo' ? presentCall(last.details, side) : null,
  };
}

const DAY_MS = 24 * 60 * 60_000;

export function presentConversation(
  ctx: Context,
  row: ConversationRow,
  side: ChatSide,
  declinedDays: number,
): ConversationView {
  const isBlocked = row.is_blocked_by_creator || row.is_blocked_by_fan;
  const isHidden = isBlocked || (side === 'creator' && row.state !== 'open');
  const getShownPresence = (id: string, isOther: boolean) => (isOther && isHidden ? 'offline' : getPresence(ctx, id));
  const refusal = findRefusal(row, side, ctx.clock.now(), declinedDays * DAY_MS);
  return {
    id: row.id,
    revision: row.revision,
    lastSeq: row.last_seq,
    user: {
      id: row.creator_id,
      username: row.creator_username,
      name: row.creator_name,
      avatarUrl: toAvatarUrl(row.creator_avatar_key),
      status: getShownPresence(row.creator_id, side === 'fan'),
      isVerified: row.creator_is_verified,
    },
    customer: {
      id: row.fan_id,
      username: row.fan_username,
      name: row.fan_name,
      avatarUrl: toAvatarUrl(row.fan_avatar_key),
      status: getShownPresence(row.fan_id, side === 'creator'),
    },
    info: {
      isBlocked,
      isBlockedByMe: side === 'creator' ? row.is_blocked_by_creator : row.is_blocked_by_fan,
      request: toRequestState(row, side),
      canSend: refusal === null,
      refusal,
    },
    isMutedCreator: side === 'creator' && row.is_muted_by_creator,
    isMutedCustomer: side === 'fan' && row.is_muted_by_fan,
    isBlocked,
    lastMessageCreatedAt: presentLastMessage(row, side)?.createdAt ?? null,
    lastMessage: presentLastMessage(row, side),
    unreadCount: side === 'creator' ? row.creator_unread : row.fan_unread,
    deliveredSeq: side === 'creator' ? row.fan_delivered_seq : row.creator_delivered_seq,
    readSeq: side === 'creator' ? row.fan_read_seq : row.creator_read_seq,
    ownReadSeq: side === 'creator' ? row.creator_read_seq : row.fan_read_seq,
  };
}
