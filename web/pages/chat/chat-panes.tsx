import { useQuery } from '@tanstack/react-query';
import { NewThread } from '../../features/chat/thread/new-thread.tsx';
import { infoQuery } from './chat-load.ts';
import { NothingOpen } from './chat-room.tsx';

const FOLLOWED_MS = 2_000;

function With({ id }: { id: string }) {
  // A fan who has just followed may write as soon as the server has processed the follow.
  const info = useQuery({
    ...infoQuery(id),
    refetchInterval: ({ state }) => state.data?.refusal === 'followers' && FOLLOWED_MS,
  }).data;
  return info ? <NewThread key={id} info={info} /> : <NothingOpen />;
}

export function Beginning({ withId }: { withId: string | undefined }) {
  return withId ? <With id={withId} /> : <NothingOpen />;
}
