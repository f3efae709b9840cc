import '../../modules/messaging/chat/chat.css';
import { receiveMessage } from '@stagedoor/contract/messaging/chat-events.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ChatPartsContext } from '../../modules/messaging/chat/chat-parts.ts';
import { useOpenOutbox } from '../../modules/messaging/chat/outbox/use-outbox.ts';
import { useChatEvents } from '../../modules/messaging/chat/socket-events.ts';
import { NewThread } from '../../modules/messaging/chat/thread/new-thread.tsx';
import { ThreadById, ThreadSkeleton } from '../../modules/messaging/chat/thread/thread-view.tsx';
import { useViewer } from '../../platform/session.ts';
import { useSocketEvent } from '../../platform/socket-events.ts';
import { EmptyState } from '../../ui/states.tsx';
import { infoQuery } from '../chat/chat-load.ts';
import { useChatParts } from '../chat/chat-parts.tsx';
import * as texts from './texts.ts';

const FIRST_MESSAGE_POLL_MS = 2_000;

function Thread({ userId, viewerId }: { userId: string; viewerId: string }) {
  const [rendered] = useState(() => new Date().toISOString());
  const isCreator = useViewer()?.type === 'creator';
  const parts = useChatParts({ side: isCreator ? 'creator' : 'fan', viewerId, rendered });
  useChatEvents(viewerId);
  useOpenOutbox(viewerId);
  const { data: info, isError } = useQuery({
    ...infoQuery(userId),
    refetchInterval: ({ state }) => state.data?.conversationId === null && FIRST_MESSAGE_POLL_MS,
  });
  // A creator has no access before the fan has written, so the query is repeated after the first message.
  useSocketEvent(receiveMessage, (client) => {
    if (isError) void client.invalidateQueries({ queryKey: infoQuery(userId).queryKey });
  });
  return (
    <ChatPartsContext value={parts}>
      {isError && !info ? (
        <div className="p-6">
          <EmptyState line={texts.noMessagesYet} more={isCreator ? texts.emptyMessagesHint : undefined} />
        </div>
      ) : !info ? (
        <ThreadSkeleton />
      ) : info.conversationId ? (
        <ThreadById key={info.conversationId} id={info.conversationId} />
      ) : (
        <NewThread info={info} />
      )}
    </ChatPartsContext>
  );
}

export function CallThread({ userId }: { userId: string }) {
  const viewer = useViewer();
  return viewer ? <Thread userId={userId} viewerId={viewer.id} /> : null;
}
