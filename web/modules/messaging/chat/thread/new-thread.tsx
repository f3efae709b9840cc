import type { getConversationInfo } from '@stagedoor/contract/messaging/chat.ts';
import { profilePath, subscribePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isolateText } from '../../../../platform/bidi.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Button } from '../../../../ui/button.tsx';
import { formatStartRefusal } from '../chat-labels.ts';
import { useChatContext } from '../chat-parts.ts';
import { MessageComposer } from '../composer/composer.tsx';
import { listPendingEntries } from '../outbox/queue.ts';
import { subscribeToSent, useOutboxEntries } from '../outbox/use-outbox.ts';
import { useSend } from '../outbox/use-send.ts';
import * as texts from '../texts.ts';
import { ThreadLog } from './thread-log.tsx';
import { ThreadHeader } from './thread-view.tsx';

type ConversationInfo = ResponseOf<typeof getConversationInfo>;
const EMPTY_WINDOW = { messages: [], hasOlder: false, hasNewer: false, knownTo: 0, epoch: 0 };

export function NewThread({ info }: { info: ConversationInfo }) {
  const { base, side, Tip } = useChatContext();
  const navigate = useNavigate();
  const send = useSend();
  const { otherUser, canSend, isRequest } = info;
  const thread = `with:${otherUser.id}`;
  const isWaiting = listPendingEntries(useOutboxEntries(), thread, new Set()).some(({ state }) => state === 'waiting');
  useEffect(
    () =>
      subscribeToSent((entry, message) => {
        if (entry.target.kind === 'user' && entry.target.id === otherUser.id)
          void navigate(`${base}/${message.conversationId}`, { replace: true });
      }),
    [navigate, base, otherUser.id],
  );
  const refusal = formatStartRefusal(info);
  const beginning = (
    <div className="grid justify-items-center gap-3 px-6 py-10 text-center">
      <Avatar name={otherUser.name} src={otherUser.avatarUrl} size="l" />
      <p className="max-w-[36ch] text-note text-muted">
        {isRequest
          ? formatText(texts.firstMessageRequestHint, { name: isolateText(otherUser.name) })
          : formatText(texts.emptyThreadHint, { name: isolateText(otherUser.name) })}
      </p>
    </div>
  );
  return (
    <section className="conv" aria-label={formatText(texts.chatWith, { name: otherUser.name })}>
      <ThreadHeader user={{ ...otherUser, isVerified: false }} status={`@${otherUser.username}`} />
      <ThreadLog
        thread={thread}
        window={EMPTY_WINDOW}
        conversation={undefined}
        other={otherUser.name}
        searchHit={undefined}
        beginning={beginning}
      />
      {canSend && !(isRequest && isWaiting) ? (
        <MessageComposer
          thread={thread}
          canSetPrice={side === 'creator'}
          isTextOnly={isRequest}
          onSend={(composed) => send({ kind: 'user', id: otherUser.id }, composed)}
          onTyping={() => undefined}
          placeholder={formatText(texts.messageCreator, { creatorName: otherUser.name })}
          tip={
            side === 'fan' && (
              <Tip creatorId={otherUser.id} creatorName={otherUser.name} returnTo={`${base}?with=${otherUser.id}`} />
            )
          }
        />
      ) : (
        <div className="write write__stop" role="status">
          <p className="font-semibold">{canSend ? texts.sendingRequest : refusal}</p>
          {info.refusal === 'subscribers' ? (
            <Button href={subscribePath(otherUser.username)}>{texts.subscribe}</Button>
          ) : (
            side === 'fan' && <Button href={profilePath(otherUser.username)}>{texts.viewProfile}</Button>
          )}
        </div>
      )}
    </section>
  );
}
