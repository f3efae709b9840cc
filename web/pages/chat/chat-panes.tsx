import { useQuery } from '@tanstack/react-query';
import { NewThread } from '../../modules/messaging/chat/thread/new-thread.tsx';
import { NoThreadOpen } from './chat-layout.tsx';
import { infoQuery } from './chat-load.ts';

const FOLLOW_POLL_MS = 2_000;

function NewThreadPane({ id }: { id: string }) {
  // A fan who has just followed may write as soon as the server has processed the follow.
  const info = useQuery({
    ...infoQuery(id),
    refetchInterval: ({ state }) => state.data?.refusal === 'followers' && FOLLOW_POLL_MS,
  }).data;
  return info ? <NewThread key={id} info={info} /> : <NoThreadOpen />;
}

export function ChatStart({ withId }: { withId: string | undefined }) {
  return withId ? <NewThreadPane id={withId} /> : <NoThreadOpen />;
}
