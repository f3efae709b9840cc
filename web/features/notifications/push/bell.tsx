/** A creator's bell, for a fan who follows them: off, their posts and their coming online do not push. */
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import { changeBell, listBells } from '@stagedoor/contract/push.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { apiQuery } from '../../../kernel/query.ts';
import { IconButton } from '../../../ui/button.tsx';

const bellsQuery = () => apiQuery(listBells, {});

export function Bell({ creator: { id, name } }: { creator: { id: UserId; name: string } }) {
  const client = useQueryClient();
  const off = useQuery(bellsQuery()).data?.creatorIds;
  const { mutate, isPending, variables } = useApiMutation(changeBell, {
    onSuccess: (told) => client.setQueryData(bellsQuery().queryKey, told),
  });
  if (!off) return <span className="size-11" />;
  const isOn = isPending ? variables.body.isOn : !off.includes(id);
  return (
    <IconButton
      quiet
      icon={isOn ? 'bell' : 'bell-off'}
      label={isOn ? `Turn the bell of ${name} off` : `Turn the bell of ${name} on`}
      onClick={() => {
        if (!isPending) mutate({ params: { creatorId: id }, body: { isOn: !isOn } });
      }}
    />
  );
}
