import { BROADCAST_KEY } from '@stagedoor/contract/messaging/messages.ts';
import { Suspense } from 'react';
import type { BroadcastChoice } from '../../modules/messaging/chat/broadcast/state.ts';
import { ThreadById, ThreadSkeleton } from '../../modules/messaging/chat/thread/thread-view.tsx';
import { lazyPart } from '../../platform/lazy-part.ts';
import * as texts from './texts.ts';

const BroadcastThread = lazyPart(
  async () => (await import('../../modules/messaging/chat/broadcast/broadcast-thread.tsx')).BroadcastThread,
);

export function OpenThread({ id, broadcast }: { id: string; broadcast: BroadcastChoice }) {
  if (id !== BROADCAST_KEY) return <ThreadById key={id} id={id} />;
  return (
    <Suspense
      fallback={
        <section className="conv" aria-label={texts.broadcasts}>
          <ThreadSkeleton />
        </section>
      }
    >
      <BroadcastThread choice={broadcast} />
    </Suspense>
  );
}
