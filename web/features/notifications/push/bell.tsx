import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import { changeBell, listBells } from '@stagedoor/contract/push.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { apiQuery } from '../../../kernel/query.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';

const bellsQuery = () => apiQuery(listBells, {});

type Creator = { id: UserId; name: string };

function useBell({ id }: Creator): { isOn: boolean | undefined; turn: () => void } {
  const client = useQueryClient();
  const off = useQuery(bellsQuery()).data?.creatorIds;
  const { mutate, isPending, variables } = useApiMutation(changeBell, {
    onSuccess: (told) => client.setQueryData(bellsQuery().queryKey, told),
  });
  const isOn = isPending ? variables.body.isOn : off && !off.includes(id);
  const turn = () => {
    if (!isPending && isOn !== undefined) mutate({ params: { creatorId: id }, body: { isOn: !isOn } });
  };
  return { isOn, turn };
}

export function Bell({ creator }: { creator: Creator }) {
  const { isOn, turn } = useBell(creator);
  if (isOn === undefined) return <span className="size-11" />;
  return (
    <IconButton
      quiet
      icon={isOn ? 'bell' : 'bell-off'}
      label={`Turn ${isOn ? 'off' : 'on'} notifications from ${creator.name}`}
      onClick={turn}
    />
  );
}

export function BellItem({ creator }: { creator: Creator }) {
  const { isOn, turn } = useBell(creator);
  return (
    <li className="sm:hidden">
      <button type="button" className="menu__item" disabled={isOn === undefined} onClick={turn}>
        <Icon name={isOn === false ? 'bell-off' : 'bell'} />
        {isOn === false ? 'Turn on notifications' : 'Turn off notifications'}
      </button>
    </li>
  );
}
