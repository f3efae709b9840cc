import '../../features/chat/chat.css';
import { receiveMessage } from '@stagedoor/contract/chat-live.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLiveChat } from '../../features/chat/live.ts';
import { useOpenOutbox } from '../../features/chat/outbox/use-outbox.ts';
import { PartsContext } from '../../features/chat/parts.ts';
import { NewThread } from '../../features/chat/thread/new-thread.tsx';
import { ThreadById, ThreadSkeleton } from '../../features/chat/thread/thread-view.tsx';
import { useLive } from '../../kernel/live.ts';
import { useViewer } from '../../kernel/session.ts';
import { EmptyState } from '../../ui/states.tsx';
import { infoQuery } from '../chat/chat-load.ts';
import { useChatParts } from '../chat/chat-parts.tsx';

const BEGUN_MS = 2_000;

function Thread({ personId, viewerId }: { personId: string; viewerId: string }) {
  const [rendered] = useState(() => new Date().toISOString());
  const isCreator = useViewer()?.type === 'creator';
  const parts = useChatParts({ side: isCreator ? 'creator' : 'fan', viewerId, rendered });
  useLiveChat(viewerId);
  useOpenOutbox(viewerId);
  const { data: info, isError } = useQuery({
    ...infoQuery(personId),
    refetchInterval: ({ state }) => state.data?.conversationId === null && BEGUN_MS,
  });
  // A creator has no access before the fan has written, so the query is repeated after the first message.
  useLive(receiveMessage, (client) => {
    if (isError) void client.invalidateQueries({ queryKey: infoQuery(personId).queryKey });
  });
  return (
    <PartsContext value={parts}>
      {isError && !info ? (
        <div className="p-6">
          <EmptyState line="No messages yet" more={isCreator ? 'Messages from them appear here.' : undefined} />
        </div>
      ) : !info ? (
        <ThreadSkeleton />
      ) : info.conversationId ? (
        <ThreadById key={info.conversationId} id={info.conversationId} />
      ) : (
        <NewThread info={info} />
      )}
    </PartsContext>
  );
}

export function CallThread({ personId }: { personId: string }) {
  const viewer = useViewer();
  return viewer ? <Thread personId={personId} viewerId={viewer.id} /> : null;
}
