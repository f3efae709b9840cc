import type { Conversation } from '@stagedoor/contract/messages.ts';
import type { ReactNode } from 'react';
import { lampOf, usePresence } from '../../../kernel/presence.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Count, Tick } from '../../../ui/label.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { useNow, useZone, whenOf } from '../clock.ts';
import { useDraft } from '../composer/drafts.ts';
import { isMutedBy, otherOf } from '../model.ts';
import { useParts } from '../parts.ts';
import { useTyping } from '../thread/typing.ts';
import { lineOf } from '../words.ts';

function Line({ conversation }: { conversation: Conversation }) {
  const { viewerId, side } = useParts();
  const isTyping = useTyping(conversation.id);
  const [draft] = useDraft(viewerId, conversation.id);
  const last = conversation.lastMessage;
  if (isTyping)
    return (
      <span className="talk-row__line one-line" data-strong="">
        typing…
      </span>
    );
  if (draft.trim())
    return (
      <span className="talk-row__line one-line">
        <span className="text-ink">Draft:</span> {draft.slice(0, 200)}
      </span>
    );
  return (
    <span dir="auto" className="talk-row__line one-line" data-strong={conversation.unreadCount > 0 ? '' : undefined}>
      {last ? lineOf(last, side) : 'No messages yet'}
    </span>
  );
}

export type ConversationRowProps = {
  conversation: Conversation;
  isCurrent: boolean;
  href: string;
  lead?: ReactNode;
  /** For requests: the list of all requests, which ban-evasion hints refer to. */
  among?: readonly Conversation[] | undefined;
};

export function ConversationRow({ conversation, isCurrent, href, lead, among }: ConversationRowProps) {
  const { side, rendered, Seems } = useParts();
  const other = otherOf(conversation, side);
  const presence = usePresence(other.id, other.status);
  const zone = useZone();
  const now = useNow(rendered);
  const isMuted = isMutedBy(conversation, side);
  const line = <Line conversation={conversation} />;
  const name = (
    <span className="one-line" dir="auto">
      {other.name}
    </span>
  );
  return (
    <div className="talk-row" data-current={isCurrent ? '' : undefined}>
      {lead ?? <Avatar name={other.name} src={other.avatarUrl} {...lampOf(presence)} />}
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
          {other.isVerified && <Tick />}
          {isMuted && (
            <>
              <Icon name="bell-off" size={14} />
              <span className="sr-only">, muted</span>
            </>
          )}
        </span>
        {among ? (
          <Seems person={other} among={among}>
            {line}
          </Seems>
        ) : (
          line
        )}
      </div>
      <span className="talk-row__end num" data-muted={isMuted ? '' : undefined}>
        <span className="talk-row__when">
          {conversation.lastMessageCreatedAt ? whenOf(conversation.lastMessageCreatedAt, now, zone) : ''}
        </span>
        <Count value={conversation.unreadCount} label="unread" />
      </span>
    </div>
  );
}
