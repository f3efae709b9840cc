/** The creator's widget (row F6) in the shell: whether calls are taken, seen and switched on whatever page one is. */
import { getCallSettings, setCallAvailability } from '@stagedoor/contract/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../kernel/mutation.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Icon } from '../../ui/icon.tsx';

export const settingsQuery = () => apiQuery(getCallSettings, {});

/** The switch as it is, or as it was just put; nothing before it is known. */
export function useAvailability() {
  const client = useQueryClient();
  const settings = useQuery(settingsQuery()).data;
  const { mutate, isPending, variables } = useApiMutation(setCallAvailability, {
    onSuccess: (answer) => client.setQueryData(settingsQuery().queryKey, answer),
  });
  if (!settings) return undefined;
  return {
    settings,
    isPending,
    isOn: isPending ? variables.body.isAvailable : settings.isAvailable,
    change: (isAvailable: boolean) => mutate({ body: { isAvailable } }),
  };
}

/** Its place is kept until it is known, and for who has no price it stays empty. */
export function AvailabilityWidget() {
  const availability = useAvailability();
  if (!availability) return <span className="take-calls" />;
  const { settings, isOn, isPending, change } = availability;
  if (settings.videoRate === null && settings.audioRate === null) return null;
  const words = isOn ? 'Calls on' : 'Calls off';
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label="Fans can call you"
      title={words}
      className="take-calls"
      disabled={isPending}
      onClick={() => change(!isOn)}
    >
      <Icon name="phone" />
      <span className={isOn ? 'lamp' : 'lamp lamp--off'}>
        <span className="take-calls__words">{words}</span>
      </span>
    </button>
  );
}
