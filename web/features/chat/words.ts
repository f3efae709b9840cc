import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Conversation, Message, MessageType, Side } from '@stagedoor/contract/messages.ts';
import { isolated } from '../../kernel/bidi.ts';
import { formatDuration, plural } from '../../kernel/dates.ts';
import { isFrom } from './model.ts';

const KINDS: Record<MessageType, string> = {
  text: 'Message',
  image: 'Photo',
  document: 'Document',
  video: 'Video',
  audio: 'Voice message',
  tipInfo: 'Tip',
  videoCallInfo: 'Call',
};

export function filesOf(message: Message): string {
  const { media, documents, voice, pendingMedia, type } = message;
  if (voice) return `Voice message, ${formatDuration(voice.durationSeconds)}`;
  if (documents.length > 0) return documents.length === 1 ? 'Document' : plural(documents.length, 'document');
  const count = media.length + pendingMedia;
  const videos = media.filter(({ kind }) => kind === 'video').length;
  const [only] = media;
  if (count === 1 && only?.kind === 'video')
    return only.durationSeconds === null ? 'Video' : `Video, ${formatDuration(only.durationSeconds)}`;
  if (count <= 1) return KINDS[type];
  if (videos === 0) return plural(count, 'photo');
  return videos === count
    ? plural(count, 'video')
    : `${plural(count - videos, 'photo')} and ${plural(videos, 'video')}`;
}

type Last = NonNullable<Conversation['lastMessage']>;

export function lineOf(last: Last, side: Side): string {
  const isOwn = isFrom(last, side);
  const what =
    last.type === 'text'
      ? isolated(last.text)
      : last.type === 'tipInfo'
        ? ['Tip', isolated(last.text)].filter(Boolean).join(': ')
        : [last.fileCount > 1 ? plural(last.fileCount, 'file') : KINDS[last.type], isolated(last.text)]
            .filter(Boolean)
            .join(': ');
  const price = last.price > 0 && !last.isPurchased ? ` · ${formatUsd(last.price)}` : '';
  return `${isOwn ? 'You: ' : ''}${what}${price}`;
}

export function refusalWords(
  conversation: Conversation,
  side: Side,
  name: string,
): { line: string; more?: string } | undefined {
  const { refusal, isBlockedByMe } = conversation.info;
  if (refusal === 'blocked')
    return isBlockedByMe
      ? { line: `You blocked ${isolated(name)}.`, more: 'Unblock to send messages.' }
      : { line: `You can no longer message ${isolated(name)}.` };
  if (refusal === 'waiting')
    return side === 'creator'
      ? { line: `${isolated(name)} wants to chat.` }
      : {
          line: `Your request was sent to ${isolated(name)}.`,
          more: 'You can send more once they accept. You can tip anytime.',
        };
  if (refusal === 'followers')
    return {
      line: `${isolated(name)} only accepts messages from followers.`,
      more: 'Follow to send a message.',
    };
  if (refusal === 'gone') return { line: 'This account no longer exists.' };
  return undefined;
}

export function refusalOfInfo({
  refusal,
  person,
}: {
  refusal: Conversation['info']['refusal'];
  person: { name: string };
}): string {
  if (refusal === 'followers')
    return `${isolated(person.name)} only accepts messages from followers. Follow to send one.`;
  if (refusal === 'gone') return 'This account no longer exists.';
  return `You can’t message ${isolated(person.name)}.`;
}
