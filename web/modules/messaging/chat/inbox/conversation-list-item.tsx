import type { Conversation } from '@stagedoor/contract/messaging/messages.ts';
import type { ReactNode } from 'react';
import { formatCount } from '../../../../platform/dates.ts';
import { toPresenceProps, usePresence } from '../../../../platform/presence.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { CountBadge, VerifiedTick } from '../../../../ui/label.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { useOwnZone } from '../../../../ui/own-zone.ts';
import { formatPreview } from '../chat-labels.ts';
import { useChatContext } from '../chat-parts.ts';
import { useAttachments } from '../composer/attachments.ts';
import { toDraftKey, useDraft } from '../composer/drafts.ts';
import { getOtherUser, isMutedBy } from '../model.ts';
import * as texts from '../texts.ts';
import { useTyping } from '../thread/typing.ts';
import { formatListTime, useCurrentMinute } from '../time-format.ts';

function PreviewLine({ conversation }: { conversation: Conversation }) {
  const { viewerId, side } = useChatContext();
  const isTyping = useTyping(conversation.id);
  const key = toDraftKey(viewerId, conversation.id);
  const [text] = useDraft(key);
  const { files, voice } = useAttachments(key);
  const draft =
    text.trim() || (voice && texts.voiceMessage) || (files.length > 0 ? formatCount(files.length, 'file') : '');
  const last = conversation.lastMessage;
  if (isTyping)
    return (
      <span className="talk-row__line one-line" data-strong="">
        {texts.typing}
      </span>
    );
  if (draft)
    return (
      <span className="talk-row__line one-line">
        <span className="text-ink">{texts.draftPrefix}</span> {draft.slice(0, 200)}
      </span>
    );
  return (
    <span dir="auto" className="talk-row__line one-line" data-strong={conversation.unreadCount > 0 ? '' : undefined}>
      {last ? formatPreview(last, side) : texts.noMessagesYet}
    </span>
  );
}

export type ConversationListItemProps = {
  conversation: Conversation;
  isCurrent: boolean;
  href: string;
  lead?: ReactNode;
  /** For requests: the list of all requests, which ban-evasion hints refer to. */
  conversations?: readonly Conversation[] | undefined;
};

export function ConversationListItem({
  conversation,
  isCurrent,
  href,
  lead,
  conversations,
}: ConversationListItemProps) {
  const { side, rendered, BanEvasionHint } = useChatContext();
  const other = getOtherUser(conversation, side);
  const presence = usePresence(other.id, other.status);
  const zone = useOwnZone();
  const now = useCurrentMinute(rendered);
  const isMuted = isMutedBy(conversation, side);
  const preview = <PreviewLine conversation={conversation} />;
  const name = (
    <span className="one-line" dir="auto">
      {other.name}
    </span>
  );
  return (
    <div className="talk-row" data-current={isCurrent ? '' : undefined}>
      {lead ?? <Avatar name={other.name} src={other.avatarUrl} {...toPresenceProps(presence)} />}
      <div className="min-w-0">
        <span className="talk-row__name">
          {lead ? (
            name
          ) : (
            <UiLink
              href={href}
              className="talk-row__link one-line"
              aria-current={isCurrent ? 'page' : undefined}
              data-talk={conversation.id}
            >
              {name}
            </UiLink>
          )}
          {other.isVerified && <VerifiedTick />}
          {isMuted && (
            <>
              <Icon name="bell-off" size={14} />
              <span className="sr-only">{texts.mutedSuffix}</span>
            </>
          )}
        </span>
        {conversations ? (
          <BanEvasionHint user={other} conversations={conversations}>
            {preview}
          </BanEvasionHint>
        ) : (
          preview
        )}
      </div>
      <span className="talk-row__end num" data-muted={isMuted ? '' : undefined}>
        <span className="talk-row__when">
          {conversation.lastMessageCreatedAt ? formatListTime(conversation.lastMessageCreatedAt, now, zone) : ''}
        </span>
        <CountBadge value={conversation.unreadCount} label={texts.unreadBadge} />
      </span>
    </div>
  );
}
