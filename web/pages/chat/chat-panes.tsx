/** What stands beside the inbox: an open thread, the broadcasts, a beginning, or nothing yet. */
import { BROADCAST_KEY } from '@stagedoor/contract/messages.ts';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useParams } from 'react-router';
import { NewThread } from '../../features/chat/thread/new-thread.tsx';
import { ThreadById, ThreadSkeleton } from '../../features/chat/thread/thread-view.tsx';
import { lazyPart } from '../../kernel/lazy-part.ts';
import { infoQuery } from './chat-load.ts';
import { NothingOpen, useRoom } from './chat-room.tsx';

const BroadcastThread = lazyPart(
  async () => (await import('../../features/chat/broadcast/thread.tsx')).BroadcastThread,
);

export function OpenThread() {
  const { conversationId = '' } = useParams();
  const { broadcast } = useRoom();
  if (conversationId !== BROADCAST_KEY) return <ThreadById key={conversationId} id={conversationId} />;
  return (
    <Suspense
      fallback={
        <section className="conv" aria-label="Broadcasts">
          <ThreadSkeleton />
        </section>
      }
    >
      <BroadcastThread choice={broadcast} />
    </Suspense>
  );
}

const FOLLOWED_MS = 2_000;

function With({ id }: { id: string }) {
  // Whoever has just followed may write as soon as the server knows it.
  const info = useQuery({
    ...infoQuery(id),
    refetchInterval: ({ state }) => state.data?.refusal === 'followers' && FOLLOWED_MS,
  }).data;
  return info ? <NewThread key={id} info={info} /> : <NothingOpen />;
}

export function Beginning({ withId }: { withId: string | undefined }) {
  return withId ? <With id={withId} /> : <NothingOpen />;
}
