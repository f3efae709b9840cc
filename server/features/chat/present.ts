import { teamName } from '@stagedoor/contract/atoms/acting.ts';
import { asCents, toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { conversation, message, Side } from '@stagedoor/contract/messages.ts';
import { PRIVATE_ASSET_PATH } from '@stagedoor/contract/posts.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import { avatarUrl } from '../accounts/index.ts';
import { presentPostMedia } from '../media/index.ts';
import { presenceOf } from '../presence/index.ts';
import { isOpenTo } from './access.ts';
import type { ConversationRow, Details, FileRow, MessageRow } from './rows.ts';

export type MessageView = z.input<typeof message>;
export type ConversationView = z.input<typeof conversation>;

/** `tblType` of files in messages (row C9). */
export const CHAT_TABLE = 'chat';
/** The address of a document or voice note. `where` names the right by which it is loaded. */
export const fileUrl = (id: string, where: string = CHAT_TABLE) =>
  `/api${PRIVATE_ASSET_PATH}?fileKey=d/${id}&tblType=${where}`;

type Seqs = Pick<
  MessageRow,
  'seq' | 'is_from_creator' | 'creator_delivered_seq' | 'fan_delivered_seq' | 'creator_read_seq' | 'fan_read_seq'
>;

export function statusOf(row: Seqs): 'sent' | 'delivered' | 'read' {
  const read = row.is_from_creator ? row.fan_read_seq : row.creator_read_seq;
  const delivered = row.is_from_creator ? row.fan_delivered_seq : row.creator_delivered_seq;
  return row.seq <= read ? 'read' : row.seq <= delivered ? 'delivered' : 'sent';
}

function presentFile(file: FileRow, isOpen: boolean) {
  const url = isOpen ? fileUrl(file.id) : null;
  return { id: file.id, byteSize: file.byte_size, url };
}

function tipOf(details: Details | null): MessageView['tip'] {
  if (details?.transactionId === undefined || details.amountCents === undefined) return null;
  return {
    amount: toUsd(asCents(details.amountCents)),
    note: details.note ?? '',
    transactionId: details.transactionId,
  };
}

const call = z.object({
  callLogId: z.string(),
  kind: z.enum(['video', 'audio']),
  status: z.string(),
  durationSeconds: z.number(),
  amountCents: z.number(),
});

function callOf(details: Details | null): MessageView['call'] {
  const parsed = z.safeParse(call, details?.call);
  if (!parsed.success) return null;
  const { amountCents, ...rest } = parsed.data;
  return { ...rest, amount: toUsd(asCents(amountCents)) };
}

/**
 * The author when a team member wrote the message. The creator sees which member, the fan only that it was the team.
 */
function byOf({ team }: MessageRow, side: Side): Pick<MessageView, 'by'> {
  return team ? { by: { name: teamName(team.creator), member: side === 'creator' ? team.member : null } } : {};
}

/** A message for one side. Of locked files it contains only previews. */
export function presentMessage(row: MessageRow, side: Side, now: Date): MessageView {
  const isOpen = isOpenTo(row, side, now);
  const isRemoved = row.removed_at !== null;
  const shown = isRemoved ? [] : row.files;
  const ready = shown.flatMap(({ media, status }) => (media && status === 'ready' ? [media] : []));
  const files = shown.flatMap(({ file }) => file ?? []);
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
    status: statusOf(row),
    type: row.type,
    text: row.text,
    media: ready.map((facts) => presentPostMedia(facts, '', isOpen, CHAT_TABLE)),
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
    pendingMedia: shown.filter(({ status }) => status === 'uploading' || status === 'processing').length,
    price: toUsd(row.price_cents),
    isPurchased: row.purchased_at !== null,
    purchasedAt: row.purchased_at?.toISOString() ?? null,
    isViewOnce: row.is_view_once,
    viewedAt: row.viewed_at?.toISOString() ?? null,
    isRemoved,
    tip: row.type === 'tipInfo' ? tipOf(row.details) : null,
    call: row.type === 'videoCallInfo' ? callOf(row.details) : null,
    broadcastId: side === 'creator' ? row.broadcast_id : null,
    ...byOf(row, side),
  };
}

type Refusal = ConversationView['info']['refusal'];

/** Why that side may not write now, if so. To the fan a declined request looks pending. */
function refusalOf(row: ConversationRow, side: Side, now: Date, declinedMs: number): Refusal {
  if (side === 'creator' ? row.fan_is_gone : row.creator_is_gone) return 'gone';
  if (row.is_blocked_by_creator || row.is_blocked_by_fan) return 'blocked';
  if (side === 'creator') return null;
  if (row.state === 'requested') return row.has_asked ? 'waiting' : null;
  if (row.state === 'declined' && row.declined_at && now.getTime() < row.declined_at.getTime() + declinedMs)
    return 'waiting';
  return null;
}

function requestOf(row: ConversationRow, side: Side): ConversationView['info']['request'] {
  if (row.state === 'open') return 'accept';
  return row.state === 'declined' && side === 'creator' ? 'decline' : 'requested';
}

function lastOf(row: ConversationRow): ConversationView['lastMessage'] {
  const { last } = row;
  if (!last) return null;
  return {
    id: last.id,
    revision: last.revision,
    seq: last.seq,
    type: last.type,
    text: last.text,
    ownerType: last.is_from_creator ? 'creator' : 'customer',
    status: statusOf({ ...row, seq: last.seq, is_from_creator: last.is_from_creator }),
    createdAt: new Date(last.created_at).toISOString(),
    price: toUsd(asCents(last.price_cents)),
    isPurchased: last.purchased_at !== null,
    fileCount: last.file_count,
  };
}

const DAY_MS = 24 * 60 * 60_000;

export function presentConversation(
  ctx: Context,
  row: ConversationRow,
  side: Side,
  declinedDays: number,
): ConversationView {
  const isBlocked = row.is_blocked_by_creator || row.is_blocked_by_fan;
  const isHidden = isBlocked || (side === 'creator' && row.state !== 'open');
  const presence = (id: string, isOther: boolean) => (isOther && isHidden ? 'offline' : presenceOf(ctx, id));
  const refusal = refusalOf(row, side, ctx.clock.now(), declinedDays * DAY_MS);
  return {
    id: row.id,
    revision: row.revision,
    lastSeq: row.last_seq,
    user: {
      id: row.creator_id,
      username: row.creator_username,
      name: row.creator_name,
      avatarUrl: avatarUrl(row.creator_avatar_key),
      status: presence(row.creator_id, side === 'fan'),
      isVerified: row.creator_is_verified,
    },
    customer: {
      id: row.fan_id,
      username: row.fan_username,
      name: row.fan_name,
      avatarUrl: avatarUrl(row.fan_avatar_key),
      status: presence(row.fan_id, side === 'creator'),
    },
    info: {
      isBlocked,
      isBlockedByMe: side === 'creator' ? row.is_blocked_by_creator : row.is_blocked_by_fan,
      request: requestOf(row, side),
      canSend: refusal === null,
      refusal,
    },
    isMutedCreator: side === 'creator' && row.is_muted_by_creator,
    isMutedCustomer: side === 'fan' && row.is_muted_by_fan,
    isBlocked,
    lastMessageCreatedAt: lastOf(row)?.createdAt ?? null,
    lastMessage: lastOf(row),
    unreadCount: side === 'creator' ? row.creator_unread : row.fan_unread,
    deliveredSeq: side === 'creator' ? row.fan_delivered_seq : row.creator_delivered_seq,
    readSeq: side === 'creator' ? row.fan_read_seq : row.creator_read_seq,
    ownReadSeq: side === 'creator' ? row.creator_read_seq : row.fan_read_seq,
  };
}
