import { respondToChatRequest } from '@stagedoor/contract/messaging/chat-settings.ts';
import type { Conversation, Message } from '@stagedoor/contract/messaging/messages.ts';
import { profilePath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { lazyPart } from '../../../../platform/lazy-part.ts';
import { useApiMutation } from '../../../../platform/mutation.ts';
import { PRESENCE_LABELS, toPresenceProps, usePresence } from '../../../../platform/presence.ts';
import { useContentProtection } from '../../../../platform/use-content-protection.ts';
import { Avatar } from '../../../../ui/avatar.tsx';
import { Button, IconButton } from '../../../../ui/button.tsx';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { VerifiedName } from '../../../../ui/label.tsx';
import { ErrorState, Skeleton } from '../../../../ui/states.tsx';
import { applyConversation, conversationQuery, findKnownConversation, threadQuery } from '../cache.ts';
import { formatRefusal } from '../chat-labels.ts';
import { useChatContext } from '../chat-parts.ts';
import { MessageComposer } from '../composer/composer.tsx';
import { LazyConversationDrawer, usePreloadDialogs } from '../dialogs.tsx';
import { getOtherUser } from '../model.ts';
import { useSend } from '../outbox/use-send.ts';
import * as texts from '../texts.ts';
import { ThreadLog } from './thread-log.tsx';
import type { SearchHit } from './thread-search.tsx';
import { reportTyping, useTyping } from './typing.ts';
import { useBlock } from './use-block.ts';

const ThreadSearch = lazyPart(async () => (await import('./thread-search.tsx')).ThreadSearch);

type ThreadUser = { id: string; username: string; name: string; avatarUrl: string | null; isVerified: boolean };

export function ThreadHeader({ user, status, actions }: { user: ThreadUser; status: ReactNode; actions?: ReactNode }) {
  const { base, side } = useChatContext();
  const presence = usePresence(user.id, undefined);
  return (
    <header className="conv__top">
      <IconButton className="conv__back" icon="back" label={texts.backToChats} href={base} />
      <div className="conv__who">
        <Avatar name={user.name} src={user.avatarUrl} {...toPresenceProps(presence)} />
        <div className="min-w-0">
          <h1 className="text-body font-semibold">
            <VerifiedName verified={user.isVerified} {...(side === 'fan' && { href: profilePath(user.username) })}>
              {user.name}
            </VerifiedName>
          </h1>
          <p className="one-line text-small text-muted">{status}</p>
        </div>
      </div>
      {actions}
    </header>
  );
}

function RequestActions({ conversation, name }: { conversation: Conversation; name: string }) {
  const client = useQueryClient();
  const { base, isOwner } = useChatContext();
  const navigate = useNavigate();
  const respond = useApiMutation(respondToChatRequest, {
    onSuccess: ({ data }, { body }) => {
      applyConversation(client, data);
      if (body?.status === 'decline') void navigate(`${base}?tab=requests`);
    },
  });
  const { block } = useBlock(conversation);
  const sendResponse = (status: 'accept' | 'decline') =>
    respond.mutate({ params: { customerId: conversation.customer.id }, body: { status } });
  const isSending = (status: 'accept' | 'decline') => respond.isPending && respond.variables.body.status === status;
  return (
    <div className="write write__stop">
      <div>
        <p className="font-semibold">{formatNodes(texts.wantsToChat, { name: <bdi>{name}</bdi> })}</p>
        <p className="text-note text-muted">{texts.declineRequestHint}</p>
      </div>
      <div className="write__acts">
        <Button
          variant="primary"
          busy={isSending('accept')}
          busyText={texts.accepting}
          onClick={() => sendResponse('accept')}
        >
          {texts.accept}
        </Button>
        <Button busy={isSending('decline')} busyText={texts.declining} onClick={() => sendResponse('decline')}>
          {texts.decline}
        </Button>
        {isOwner && (
          <Button variant="quiet" onClick={() => block(true)}>
            {texts.block}
          </Button>
        )}
      </div>
    </div>
  );
}

function RefusalNotice({ conversation, name }: { conversation: Conversation; name: string }) {
  const { side, base, isOwner, Tip } = useChatContext();
  const { block, isPending } = useBlock(conversation);
  const refusalText = formatRefusal(conversation, side, name);
  if (!refusalText) return null;
  const { refusal, isBlockedByMe } = conversation.info;
  return (
    <div className="write write__stop" role="status">
      <div>
        <p className="font-semibold wrap-anywhere">{refusalText.title}</p>
        {refusalText.detail && <p className="text-note text-muted">{refusalText.detail}</p>}
      </div>
      <div className="write__acts empty:hidden">
        {refusal === 'blocked' && isBlockedByMe && isOwner && (
          <Button busy={isPending} busyText={texts.working} onClick={() => block(false)}>
            {texts.unblock}
          </Button>
        )}
        {refusal === 'followers' && <Button href={profilePath(conversation.user.username)}>{texts.viewProfile}</Button>}
        {refusal === 'waiting' && side === 'fan' && (
          <Tip
            hasLabel
            creatorId={conversation.user.id}
            creatorName={conversation.user.name}
            returnTo={`${base}/${conversation.id}`}
          />
        )}
      </div>
    </div>
  );
}

function ThreadFooter({ conversation, name }: { conversation: Conversation; name: string }) {
  const { side, base, Tip } = useChatContext();
  const send = useSend();
  const { info, id } = conversation;
  if (side === 'creator' && info.request === 'requested' && info.refusal !== 'blocked')
    return <RequestActions conversation={conversation} name={name} />;
  if (!info.canSend) return <RefusalNotice conversation={conversation} name={name} />;
  return (
    <MessageComposer
      key={id}
      thread={id}
      canSetPrice={side === 'creator'}
      isTextOnly={side === 'fan' && info.request === 'requested'}
      onSend={(composed) => send({ kind: 'conversation', id }, composed)}
      onTyping={(isTyping) => reportTyping(id, isTyping)}
      tip={
        side === 'fan' && (
          <Tip creatorId={conversation.user.id} creatorName={conversation.user.name} returnTo={`${base}/${id}`} />
        )
      }
    />
  );
}

export function ThreadSkeleton() {
  return (
    <div className="conv__log" aria-busy="true">
      <span className="sr-only" role="status">
        {texts.loadingMessages}
      </span>
      <div className="conv__still gap-2 px-3 pb-3 lg:px-6" aria-hidden="true">
        {[52, 34, 60, 44, 28].map((width, index) => (
          <Skeleton
            key={width}
            className={index % 2 === 0 ? 'rounded-[18px]' : 'self-end rounded-[18px]'}
            style={{ width: `${width}%`, maxWidth: 420, height: 40 }}
          />
        ))}
      </div>
    </div>
  );
}

export function ThreadBeginning({ name }: { name: string }) {
  return (
    <p className="px-6 py-8 text-center text-note text-muted">
      {formatNodes(texts.chatStart, { name: <bdi>{name}</bdi> })}
    </p>
  );
}

export function listViewableMedia(messages: readonly Message[]) {
  return messages.flatMap((message) =>
    message.isViewOnce ? [] : message.media.flatMap((item) => (item.isLocked || item.kind === 'audio' ? [] : [item])),
  );
}

export function ThreadView({ conversation }: { conversation: Conversation }) {
  usePreloadDialogs();
  const { side, CallButtons, CallRate, BanEvasionHint } = useChatContext();
  const { id } = conversation;
  const thread = useQuery(threadQuery(id));
  // Bought and view-once media of a fan are protected.
  useContentProtection(side === 'fan');
  const other = getOtherUser(conversation, side);
  const presence = usePresence(other.id, other.status) ?? 'offline';
  const isTyping = useTyping(id);
  const [isSearching, setIsSearching] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const [searchHit, setSearchHit] = useState<SearchHit>();
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'f' && (event.ctrlKey || event.metaKey) && event.shiftKey) {
      event.preventDefault();
      setIsSearching(true);
    }
    if (event.key !== 'Escape' || event.defaultPrevented || isSearching) return;
    document.querySelector<HTMLElement>(`[data-talk="${id}"]`)?.focus();
  };
  return (
    <section className="conv" aria-label={formatText(texts.chatWith, { name: other.name })} onKeyDown={handleKeyDown}>
      <ThreadHeader
        user={other}
        status={
          <>
            {isTyping ? 'typing…' : PRESENCE_LABELS[presence]}
            <CallRate user={other} />
          </>
        }
        actions={
          <>
            <CallButtons user={other} />
            <IconButton
              icon="search"
              label={texts.searchThisChat}
              aria-pressed={isSearching}
              onClick={() => setIsSearching(true)}
            />
            <IconButton icon="more" label={texts.chatDetails} aria-haspopup="dialog" onClick={() => setIsOpen(true)} />
          </>
        }
      />
      {side === 'creator' && <BanEvasionHint user={other} />}
      {isSearching && (
        <Suspense>
          <ThreadSearch thread={id} onHit={setSearchHit} onClose={() => setIsSearching(false)} />
        </Suspense>
      )}
      {thread.data ? (
        <ThreadLog
          key={id}
          thread={id}
          window={thread.data}
          conversation={conversation}
          other={other.name}
          searchHit={searchHit}
          beginning={<ThreadBeginning name={other.name} />}
        />
      ) : thread.isError ? (
        <div className="conv__log px-6">
          <ErrorState onRetry={() => void thread.refetch()} busy={thread.isFetching} />
        </div>
      ) : (
        <ThreadSkeleton />
      )}
      <ThreadFooter conversation={conversation} name={other.name} />
      <LazyConversationDrawer conversation={conversation} open={isOpen} onOpenChange={setIsOpen} />
    </section>
  );
}

export function ThreadById({ id }: { id: string }) {
  const { base } = useChatContext();
  const client = useQueryClient();
  const detail = useQuery(conversationQuery(id));
  const conversation = detail.data?.data ?? (detail.isError ? undefined : findKnownConversation(client, id));
  if (conversation) return <ThreadView conversation={conversation} />;
  return (
    <section className="conv" aria-label={texts.chat}>
      {detail.isError ? (
        <div className="px-6">
          <ErrorState title={texts.openChatError} onRetry={() => void detail.refetch()} busy={detail.isFetching} />
          <Button href={base}>{texts.backToChats}</Button>
        </div>
      ) : (
        <ThreadSkeleton />
      )}
    </section>
  );
}
