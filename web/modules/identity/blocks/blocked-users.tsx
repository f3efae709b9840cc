import {
  blockUnblockCreator,
  blockUnblockCustomer,
  listBlockedUsers,
} from '@stagedoor/contract/messaging/chat-settings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiInfiniteQuery, routeKey } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { Row, Rows } from '../../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

export const blockedUsersQuery = () => apiInfiniteQuery(listBlockedUsers, { query: {} });

export function BlockedUsers({ isCreator }: { isCreator: boolean }) {
  const client = useQueryClient();
  const query = useInfiniteQuery(blockedUsersQuery());
  const options = { onSettled: () => client.invalidateQueries({ queryKey: routeKey(listBlockedUsers) }) };
  const updateFanBlock = useApiMutation(blockUnblockCustomer, options);
  const updateCreatorBlock = useApiMutation(blockUnblockCreator, options);
  if (!query.data)
    return query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <SkeletonRows count={1} />;
  const users = query.data.pages.flatMap(({ data }) => data);
  const body = { isBlocked: false };
  return (
    <>
      <p className="text-muted">{users.length === 0 ? texts.noBlockedUsers : texts.blockedUsersHint}</p>
      {users.length > 0 && (
        <Rows label={texts.blockedUsers} className="mt-4">
          {users.map(({ id, name, username, avatarUrl }) => (
            <Row
              key={id}
              lead={<Avatar name={name} src={avatarUrl ?? undefined} />}
              title={name}
              sub={`@${username}`}
              end={
                <Button
                  aria-label={formatText(texts.unblockUser, { name })}
                  onClick={() =>
                    isCreator
                      ? updateFanBlock.mutate({ params: { customerId: id }, body })
                      : updateCreatorBlock.mutate({ params: { creatorId: id }, body })
                  }
                >
                  {texts.unblockButton}
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      {query.hasNextPage && (
        <Button className="mt-4" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {texts.showMore}
        </Button>
      )}
    </>
  );
}
