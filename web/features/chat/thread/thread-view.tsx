import { profilePath } from '@stagedoor/contract/addresses.ts';
import { conversationResponse } from '@stagedoor/contract/chat-terms.ts';
import type { Conversation, Message } from '@stagedoor/contract/messages.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { lazyPart } from '../../../kernel/lazy-part.ts';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { lampOf, PRESENCE_WORDS, usePresence } from '../../../kernel/presence.ts';
import { useProtectedMedia } from '../../../kernel/protected-page.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Name } from '../../../ui/label.tsx';
import { ErrorState, Skeleton } from '../../../ui/states.tsx';
import { conversationQuery, knownConversation, takeConversation, threadQuery } from '../cache.ts';
import { Composer } from '../composer/composer.tsx';
import { ConversationDrawer, useDialogsAhead } from '../dialogs.tsx';
import { otherOf } from '../model.ts';
import { useSend } from '../outbox/use-send.ts';
import { useParts } from '../parts.ts';
import { refusalWords } from '../words.ts';
import { ThreadLog } from './thread-log.tsx';
import type { Found } from './thread-search.tsx';
import { sayTyping, useTyping } from './typing.ts';
import { useBlock } from './use-block.ts';

const ThreadSearch = lazyPart(async () => (await import('./thread-search.tsx')).ThreadSearch);

type Person = { id: string; username: string; name: string; avatarUrl: string | null; isVerified: boolean };

export function ThreadTop({ person, status, actions }: { person: Person; status: ReactNode; actions?: ReactNode }) {
  const { base, side } = useParts();
  const presence = usePresence(person.id, undefined);
  return (
    <header className="conv__top">
      <IconButton className="conv__back" icon="back" label="Back to chats" href={base} />
      <div className="conv__who">
        <Avatar name={person.name} src={person.avatarUrl} {...lampOf(presence)} />
        <div className="min-w-0">
          <h1 className="text-body font-semibold">
            <Name verified={person.isVerified} {...(side === 'fan' && { href: profilePath(person.username) })}>
              {person.name}
            </Name>
          </h1>
          <p className="one-line text-small text-muted">{status}</p>
        </div>
      </div>
      {actions}
    </header>
  );
}

function RequestAnswer({ conversation, name }: { conversation: Conversation; name: string }) {
  const client = useQueryClient();
  const { base, isOwner } = useParts();
  const navigate = useNavigate();
  const answer = useApiMutation(conversationResponse, {
    onSuccess: ({ data }, { body }) => {
      takeConversation(client, data);
      if (body?.status === 'decline') void navigate(`${base}?tab=requests`);
    },
  });
  const { block } = useBlock(conversation);
  const give = (status: 'accept' | 'decline') =>
    answer.mutate({ params: { customerId: conversation.customer.id }, body: { status } });
  const isGiving = (status: 'accept' | 'decline') => answer.isPending && answer.variables.body.status === status;
  return (
    <div className="write write__stop">
      <div>
        <p className="font-semibold">
          <bdi>{name}</bdi> wants to chat.
        </p>
        <p className="text-note text-muted">They won’t be notified if you decline. They can ask again after 30 days.</p>
      </div>
      <div className="write__acts">
        <Button variant="primary" busy={isGiving('accept')} busyText="Accepting…" onClick={() => give('accept')}>
          Accept
        </Button>
        <Button busy={isGiving('decline')} busyText="Declining…" onClick={() => give('decline')}>
          Decline
        </Button>
        {isOwner && (
          <Button variant="quiet" onClick={() => block(true)}>
            Block
          </Button>
        )}
      </div>
    </div>
  );
}

function Refused({ conversation, name }: { conversation: Conversation; name: string }) {
  const { side, base, isOwner, Tip } = useParts();
  const { block, isPending } = useBlock(conversation);
  const words = refusalWords(conversation, side, name);
  if (!words) return null;
  const { refusal, isBlockedByMe } = conversation.info;
  return (
    <div className="write write__stop" role="status">
      <div>
        <p className="font-semibold wrap-anywhere">{words.line}</p>
        {words.more && <p className="text-note text-muted">{words.more}</p>}
      </div>
      <div className="write__acts empty:hidden">
        {refusal === 'blocked' && isBlockedByMe && isOwner && (
          <Button busy={isPending} busyText="Working…" onClick={() => block(false)}>
            Unblock
          </Button>
        )}
        {refusal === 'followers' && <Button href={profilePath(conversation.user.username)}>View profile</Button>}
        {refusal === 'waiting' && side === 'fan' && (
          <Tip
            hasWord
            creatorId={conversation.user.id}
            creatorName={conversation.user.name}
            returnTo={`${base}/${conversation.id}`}
          />
        )}
      </div>
    </div>
  );
}

function Bottom({ conversation, name }: { conversation: Conversation; name: string }) {
  const { side, base, Tip } = useParts();
  const send = useSend();
  const { info, id } = conversation;
  if (side === 'creator' && info.request === 'requested' && info.refusal !== 'blocked')
    return <RequestAnswer conversation={conversation} name={name} />;
  if (!info.canSend) return <Refused conversation={conversation} name={name} />;
  return (
    <Composer
      key={id}
      thread={id}
      canAsk={side === 'creator'}
      isTextOnly={side === 'fan' && info.request === 'requested'}
      onSend={(written) => send({ kind: 'conversation', id }, written)}
      onTyping={(isTyping) => sayTyping(id, isTyping)}
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
        Loading messages
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

export function Beginning({ name }: { name: string }) {
  return (
    <p className="px-6 py-8 text-center text-note text-muted">
      This is the start of your chat with <bdi>{name}</bdi>.
    </p>
  );
}

export function seenIn(messages: readonly Message[]) {
  return messages.flatMap((message) =>
    message.isViewOnce ? [] : message.media.flatMap((item) => (item.isLocked || item.kind === 'audio' ? [] : [item])),
  );
}

export function ThreadView({ conversation }: { conversation: Conversation }) {
  useDialogsAhead();
  const { side, CallButtons, CallRate, Seems } = useParts();
  const { id } = conversation;
  const thread = useQuery(threadQuery(id));
  // Bought and view-once media of a fan are protected.
  useProtectedMedia(side === 'fan');
  const other = otherOf(conversation, side);
  const presence = usePresence(other.id, other.status) ?? 'offline';
  const isTyping = useTyping(id);
  const [isSearching, setIsSearching] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const [found, setFound] = useState<Found>();
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'f' && (event.ctrlKey || event.metaKey) && event.shiftKey) {
      event.preventDefault();
      setIsSearching(true);
    }
    if (event.key !== 'Escape' || event.defaultPrevented || isSearching) return;
    document.querySelector<HTMLElement>(`[data-talk="${id}"]`)?.focus();
  };
  return (
    <section className="conv" aria-label={`Chat with ${other.name}`} onKeyDown={keys}>
      <ThreadTop
        person={other}
        status={
          <>
            {isTyping ? 'typing…' : PRESENCE_WORDS[presence]}
            <CallRate person={other} />
          </>
        }
        actions={
          <>
            <CallButtons person={other} />
            <IconButton
              icon="search"
              label="Search this chat"
              aria-pressed={isSearching}
              onClick={() => setIsSearching(true)}
            />
            <IconButton icon="more" label="Chat details" aria-haspopup="dialog" onClick={() => setIsOpen(true)} />
          </>
        }
      />
      {side === 'creator' && <Seems person={other} />}
      {isSearching && (
        <Suspense>
          <ThreadSearch thread={id} onFound={setFound} onClose={() => setIsSearching(false)} />
        </Suspense>
      )}
      {thread.data ? (
        <ThreadLog
          key={id}
          thread={id}
          window={thread.data}
          conversation={conversation}
          other={other.name}
          found={found}
          beginning={<Beginning name={other.name} />}
        />
      ) : thread.isError ? (
        <div className="conv__log px-6">
          <ErrorState onRetry={() => void thread.refetch()} busy={thread.isFetching} />
        </div>
      ) : (
        <ThreadSkeleton />
      )}
      <Bottom conversation={conversation} name={other.name} />
      <ConversationDrawer conversation={conversation} open={isOpen} onOpenChange={setIsOpen} />
    </section>
  );
}

export function ThreadById({ id }: { id: string }) {
  const { base } = useParts();
  const client = useQueryClient();
  const detail = useQuery(conversationQuery(id));
  const conversation = detail.data?.data ?? (detail.isError ? undefined : knownConversation(client, id));
  if (conversation) return <ThreadView conversation={conversation} />;
  return (
    <section className="conv" aria-label="Chat">
      {detail.isError ? (
        <div className="px-6">
          <ErrorState title="Couldn’t open this chat." onRetry={() => void detail.refetch()} busy={detail.isFetching} />
          <Button href={base}>Back to chats</Button>
        </div>
      ) : (
        <ThreadSkeleton />
      )}
    </section>
  );
}
