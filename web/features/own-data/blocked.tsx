import { blockedPeople, blockUnblockCreator, blockUnblockCustomer } from '@stagedoor/contract/chat-terms.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../kernel/mutation.ts';
import { apiInfiniteQuery, routeKey } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Row, Rows } from '../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';

export const blockedQuery = () => apiInfiniteQuery(blockedPeople, { query: {} });

export function BlockedPeople({ isCreator }: { isCreator: boolean }) {
  const client = useQueryClient();
  const found = useInfiniteQuery(blockedQuery());
  const shown = { onSettled: () => client.invalidateQueries({ queryKey: routeKey(blockedPeople) }) };
  const ofFan = useApiMutation(blockUnblockCustomer, shown);
  const ofCreator = useApiMutation(blockUnblockCreator, shown);
  if (!found.data)
    return found.isError ? <ErrorState onRetry={() => void found.refetch()} /> : <SkeletonRows count={1} />;
  const people = found.data.pages.flatMap(({ data }) => data);
  const body = { isBlocked: false };
  return (
    <>
      <p className="text-muted">
        {people.length === 0
          ? 'You haven’t blocked anyone.'
          : 'You and the people you block can’t see or message each other.'}
      </p>
      {people.length > 0 && (
        <Rows label="Blocked people" className="mt-4">
          {people.map(({ id, name, username, avatarUrl }) => (
            <Row
              key={id}
              lead={<Avatar name={name} src={avatarUrl ?? undefined} />}
              title={name}
              sub={`@${username}`}
              end={
                <Button
                  aria-label={`Unblock ${name}`}
                  onClick={() =>
                    isCreator
                      ? ofFan.mutate({ params: { customerId: id }, body })
                      : ofCreator.mutate({ params: { creatorId: id }, body })
                  }
                >
                  Unblock
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      {found.hasNextPage && (
        <Button className="mt-4" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}
