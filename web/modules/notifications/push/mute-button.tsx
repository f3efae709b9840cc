import { listMutedCreators, updateMutedCreator } from '@stagedoor/contract/notifications/push.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import * as texts from './texts.ts';

const mutedCreatorsQuery = () => apiQuery(listMutedCreators, {});

type MutableCreator = { id: UserId; name: string };

function useCreatorMute({ id }: MutableCreator): { isOn: boolean | undefined; toggle: () => void } {
  const client = useQueryClient();
  const mutedIds = useQuery(mutedCreatorsQuery()).data?.creatorIds;
  const { mutate, isPending, variables } = useApiMutation(updateMutedCreator, {
    onSuccess: (response) => client.setQueryData(mutedCreatorsQuery().queryKey, response),
  });
  const isOn = isPending ? variables.body.isPushEnabled : mutedIds && !mutedIds.includes(id);
  const toggle = () => {
    if (!isPending && isOn !== undefined) mutate({ params: { creatorId: id }, body: { isPushEnabled: !isOn } });
  };
  return { isOn, toggle };
}

export function MuteButton({ creator }: { creator: MutableCreator }) {
  const { isOn, toggle } = useCreatorMute(creator);
  if (isOn === undefined) return <span className="size-11" />;
  return (
    <IconButton
      quiet
      icon={isOn ? 'bell' : 'bell-off'}
      label={formatText(texts.toggleCreatorNotifications, {
        state: isOn ? texts.toggleStateOff : texts.toggleStateOn,
        name: creator.name,
      })}
      onClick={toggle}
    />
  );
}

export function MuteMenuItem({ creator }: { creator: MutableCreator }) {
  const { isOn, toggle } = useCreatorMute(creator);
  return (
    <li className="sm:hidden">
      <button type="button" className="menu__item" disabled={isOn === undefined} onClick={toggle}>
        <Icon name={isOn === false ? 'bell-off' : 'bell'} />
        {isOn === false ? texts.turnOnNotifications : texts.turnOffNotifications}
      </button>
    </li>
  );
}
