/** The creator's widget in the app shell that turns call availability on and off from any page (row F6). */
import { getCallSettings, setCallAvailability } from '@stagedoor/contract/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../kernel/mutation.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Icon } from '../../ui/icon.tsx';

export const settingsQuery = () => apiQuery(getCallSettings, {});

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
