import { BROADCAST_KEY } from '@stagedoor/contract/messages.ts';
import { Suspense } from 'react';
import type { BroadcastChoice } from '../../features/chat/broadcast/state.ts';
import { ThreadById, ThreadSkeleton } from '../../features/chat/thread/thread-view.tsx';
import { lazyPart } from '../../kernel/lazy-part.ts';

const BroadcastThread = lazyPart(
  async () => (await import('../../features/chat/broadcast/broadcast-thread.tsx')).BroadcastThread,
);

export function OpenThread({ id, broadcast }: { id: string; broadcast: BroadcastChoice }) {
  if (id !== BROADCAST_KEY) return <ThreadById key={id} id={id} />;
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
