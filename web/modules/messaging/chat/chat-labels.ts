import type { CallEndReason } from '@stagedoor/contract/messaging/call-states.ts';
import {
  BROADCAST_KEY,
  type ChatSide,
  type Conversation,
  type Message,
  type MessageType,
} from '@stagedoor/contract/messaging/messages.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCount, formatDuration } from '../../../platform/dates.ts';
import { isFromSide } from './model.ts';
import * as texts from './texts.ts';

const TYPE_LABELS: Record<MessageType, string> = {
  text: 'Message',
  image: 'Photo',
  document: 'Document',
  video: 'Video',
  audio: 'Voice message',
  tipInfo: 'Tip',
  videoCallInfo: 'Call',
};

export function formatFiles(message: Message): string {
  const { media, documents, voice, pendingMedia, type } = message;
  if (voice) return `Voice message, ${formatDuration(voice.durationSeconds)}`;
  if (documents.length > 0) return documents.length === 1 ? 'Document' : formatCount(documents.length, 'document');
  const count = media.length + pendingMedia;
  const videos = media.filter(({ kind }) => kind === 'video').length;
  const [onlyFile] = media;
  if (count === 1 && onlyFile?.kind === 'video')
    return onlyFile.durationSeconds === null ? 'Video' : `Video, ${formatDuration(onlyFile.durationSeconds)}`;
  if (count <= 1) return TYPE_LABELS[type];
  if (videos === 0) return formatCount(count, 'photo');
  return videos === count
    ? formatCount(count, 'video')
    : `${formatCount(count - videos, 'photo')} and ${formatCount(videos, 'video')}`;
}

/**
 * Formats "$8.00, not unlocked yet" for the sender. A broadcast has many recipients, and its statistics say how many of
 * them unlocked it.
 */
export function formatOwnPrice({ price, isPurchased, conversationId }: Message): string {
  const amount = formatUsd(price);
  if (conversationId === BROADCAST_KEY) return amount;
  return `${amount}, ${isPurchased ? 'unlocked' : texts.notUnlockedYet}`;
}

const FAN_CALL_ENDS: Partial<Record<CallEndReason, string>> = {
  cancelled: texts.callCanceled,
  noAnswer: texts.callNotAnswered,
  offline: texts.callNotAnswered,
  busy: texts.callBusy,
  unavailable: texts.callNotAnswered,
};
const CREATOR_CALL_ENDS: Partial<Record<CallEndReason, string>> = {
  cancelled: texts.callCanceled,
  declined: texts.callDeclined,
  noAnswer: texts.callMissed,
  offline: texts.callMissed,
  busy: texts.callMissed,
  unavailable: texts.callMissed,
};

/** Formats "Video call ended", "Missed video call" or "Declined video call". */
export function formatCallTitle(
  call: Pick<NonNullable<Message['call']>, 'kind' | 'reason' | 'durationSeconds'>,
  side: ChatSide,
) {
  const callKind = call.kind === 'video' ? texts.videoCall : texts.voiceCall;
  if (call.durationSeconds > 0) return formatText(texts.callEnded, { callKind });
  const ends = side === 'fan' ? FAN_CALL_ENDS : CREATOR_CALL_ENDS;
  const text = (call.reason && ends[call.reason]) ?? texts.callNotConnected;
  return formatText(text, { callKind, lowerCallKind: callKind.toLowerCase() });
}

const MAX_SPOKEN_LENGTH = 500;

/** What a screen reader announces of a new message. */
export function formatSpokenMessage(message: Message): string {
  const { tip, text } = message;
  if (tip)
    return [formatText(texts.tipOfAmount, { amount: formatUsd(tip.amount) }), tip.note].filter(Boolean).join(': ');
  return text.slice(0, MAX_SPOKEN_LENGTH) || formatFiles(message);
}

type LastMessage = NonNullable<Conversation['lastMessage']>;

const formatTip = ({ tip }: LastMessage) =>
  tip ? formatText(texts.tipOfAmount, { amount: formatUsd(tip.amount) }) : TYPE_LABELS.tipInfo;

export function formatPreview(last: LastMessage, side: ChatSide): string {
  const isOwn = isFromSide(last, side);
  const content =
    last.type === 'text'
      ? isolateText(last.text)
      : last.type === 'tipInfo'
        ? [formatTip(last), isolateText(last.tip?.note ?? last.text)].filter(Boolean).join(': ')
        : last.call
          ? formatCallTitle(last.call, side)
          : [last.fileCount > 1 ? formatCount(last.fileCount, 'file') : TYPE_LABELS[last.type], isolateText(last.text)]
              .filter(Boolean)
              .join(': ');
  const price = last.price > 0 && !last.isPurchased ? ` · ${formatUsd(last.price)}` : '';
  return `${isOwn ? 'You: ' : ''}${content}${price}`;
}

export function formatRefusal(
  conversation: Conversation,
  side: ChatSide,
  name: string,
): { title: string; detail?: string } | undefined {
  const { refusal, isBlockedByMe } = conversation.info;
  if (refusal === 'blocked')
    return isBlockedByMe
      ? { title: `You blocked ${isolateText(name)}.`, detail: 'Unblock to send messages.' }
      : { title: `You can no longer message ${isolateText(name)}.` };
  if (refusal === 'waiting')
    return side === 'creator'
      ? { title: `${isolateText(name)} wants to chat.` }
      : {
          title: `Your request was sent to ${isolateText(name)}.`,
          detail: 'You can send more once they accept. You can tip anytime.',
        };
  if (refusal === 'followers')
    return {
      title: `${isolateText(name)} only accepts messages from followers.`,
      detail: 'Follow to send a message.',
    };
  if (refusal === 'gone') return { title: 'This account no longer exists.' };
  return undefined;
}

export function formatStartRefusal({
  refusal,
  otherUser,
}: {
  refusal: Conversation['info']['refusal'];
  otherUser: { name: string };
}): string {
  if (refusal === 'followers')
    return `${isolateText(otherUser.name)} only accepts messages from followers. Follow to send one.`;
  if (refusal === 'subscribers')
    return `${isolateText(otherUser.name)} only accepts messages from subscribers. Subscribe to send one.`;
  if (refusal === 'gone') return 'This account no longer exists.';
  return `You can’t message ${isolateText(otherUser.name)}.`;
}
