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
      ? { line: `You blocked ${isolated(name)}.`, more: 'Neither of you can write until you unblock.' }
      : { line: `You can’t write to ${isolated(name)} any more.` };
  if (refusal === 'waiting')
    return side === 'creator'
      ? { line: `${isolated(name)} asks to chat.` }
      : {
          line: `${isolated(name)} has your message.`,
          more: 'You can write more once they answer. A tip gets through at any time.',
        };
  if (refusal === 'followers')
    return { line: `${isolated(name)} takes messages from followers only.`, more: 'Follow, and write again.' };
  if (refusal === 'gone') return { line: 'This account is not there any more.' };
  return undefined;
}

export function refusalOfInfo({
  refusal,
  person,
}: {
  refusal: Conversation['info']['refusal'];
  person: { name: string };
}): string {
  if (refusal === 'followers') return `${isolated(person.name)} takes messages from followers only. Follow, and write.`;
  if (refusal === 'gone') return 'This account is not there any more.';
  return `You can’t write to ${isolated(person.name)}.`;
}
