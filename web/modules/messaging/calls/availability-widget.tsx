/** The creator's widget in the app shell that turns call availability on and off from any page (row F6). */
import { getCallSettings, setCallAvailability } from '@stagedoor/contract/messaging/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Icon } from '../../../ui/icon.tsx';
import * as texts from './texts.ts';

export const callSettingsQuery = () => apiQuery(getCallSettings, {});

export function useCallAvailability() {
  const client = useQueryClient();
  const settings = useQuery(callSettingsQuery()).data;
  const { mutate, isPending, variables } = useApiMutation(setCallAvailability, {
    onSuccess: (response) => client.setQueryData(callSettingsQuery().queryKey, response),
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
  const availability = useCallAvailability();
  if (!availability) return <span className="take-calls" />;
  const { settings, isOn, isPending, change } = availability;
  if (settings.videoRate === null && settings.audioRate === null) return null;
  const label = isOn ? texts.callsOn : texts.callsOff;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={texts.fansCanCallYou}
      title={label}
      className="take-calls"
      disabled={isPending}
      onClick={() => change(!isOn)}
    >
      <Icon name="phone" />
      <span className={isOn ? 'lamp' : 'lamp lamp--off'}>
        <span className="take-calls__words">{label}</span>
      </span>
    </button>
  );
}
