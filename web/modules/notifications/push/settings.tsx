import {
  getPushSettings,
  type PushSettings,
  SAME_TIME_MESSAGE,
  updatePushSettings,
} from '@stagedoor/contract/notifications/push.ts';
import type { RequestOf } from '@stagedoor/contract/shared/route.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/choice.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { getPushState, type PushState, turnOffPush, turnOnPush } from './device.ts';
import { DeviceList, devicesQuery } from './device-list.tsx';
import { LockScreen } from './lock-screen.tsx';

const settingsQuery = () => apiQuery(getPushSettings, {});

type PushSettingsChange = NonNullable<RequestOf<typeof updatePushSettings>['body']>;

function applySettingsChange(settings: PushSettings, change: PushSettingsChange = {}): PushSettings {
  const { quietFrom = settings.quietFrom, quietUntil = settings.quietUntil, timeZone = settings.timeZone } = change;
  const { pushesPerHour = settings.pushesPerHour, isDiscreet = settings.isDiscreet } = change;
  return { quietFrom, quietUntil, timeZone, pushesPerHour, isDiscreet };
}

const NO_TIME_MESSAGE = 'Enter a time';
const DEFAULT_QUIET_HOURS = { quietFrom: '22:30', quietUntil: '07:30' };
const HOURLY_LIMITS = [1, 3, 5, 10, 20, 60];
const LOCK_SCREEN_SAMPLES = {
  customer: { title: 'Someone you follow', body: 'Message preview' },
  creator: { title: 'A fan tipped you', body: '$16.00 earned' },
};

const STATE_MESSAGES: Readonly<Record<PushState, string>> = {
  on: 'Push notifications are on for this device.',
  off: 'Your browser will ask for permission.',
  denied: 'Notifications are blocked. Allow them in your browser settings, then turn this on.',
  install: 'Add Stagedoor to your Home Screen first: tap Share, Add to Home Screen, Add. Then open it there.',
  none: 'This browser doesn’t support push notifications. You’ll still see them here and by email.',
};

function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="min-w-0" aria-labelledby={id}>
      <SectionHead id={id} title={title} />
      {children}
    </section>
  );
}

function ThisDevice({ userId, onChange }: { userId: string; onChange: () => void }) {
  const [state, setState] = useState<PushState>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    void getPushState(userId).then(setState);
  }, [userId]);
  const change = async (isOn: boolean) => {
    setBusy(true);
    setState(await (isOn ? turnOnPush(userId) : turnOffPush(userId)));
    setBusy(false);
    onChange();
  };
  const isPossible = state === 'on' || state === 'off';
  return (
    <Switch
      row
      label="Push notifications on this device"
      hint={state && STATE_MESSAGES[state]}
      checked={state === 'on'}
      disabled={!isPossible || isBusy}
      onChange={({ currentTarget }) => void change(currentTarget.checked)}
    />
  );
}

type ChangeSettings = (change: PushSettingsChange) => void;

const formatTimeZone = (timeZone: string): string => timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;

function QuietHours({ settings, change }: { settings: PushSettings; change: ChangeSettings }) {
  const { quietFrom, quietUntil } = settings;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isOn = quietFrom !== null && quietUntil !== null;
  const [timeError, setTimeError] = useState<{ label: string; message: string }>();
  const field = (label: string, value: string, other: string, toChange: (time: string) => PushSettingsChange) => (
    <TextField
      key={value}
      label={label}
      type="time"
      required
      defaultValue={value}
      error={timeError?.label === label ? timeError.message : undefined}
      onBlur={({ currentTarget: { value: time } }) => {
        const message = time === '' ? NO_TIME_MESSAGE : time === other ? SAME_TIME_MESSAGE : undefined;
        setTimeError(message === undefined ? undefined : { label, message });
        if (message === undefined && time !== value) change(toChange(time));
      }}
    />
  );
  return (
    <SettingsSection title="Quiet hours">
      <Switch
        row
        label="Pause push notifications overnight"
        hint="You’ll see everything in the morning. Calls and security alerts still come through."
        checked={isOn}
        onChange={({ currentTarget }) =>
          change(currentTarget.checked ? { ...DEFAULT_QUIET_HOURS, timeZone } : { quietFrom: null, quietUntil: null })
        }
      />
      {isOn && (
        <>
          <div className="grid grid-cols-2 gap-3 pt-3">
            {field('From', quietFrom, quietUntil, (time) => ({ quietFrom: time }))}
            {field('Until', quietUntil, quietFrom, (time) => ({ quietUntil: time }))}
          </div>
          <p className="flex flex-wrap items-center gap-x-3 pt-2 text-small text-muted">
            <span>Time zone: {formatTimeZone(settings.timeZone)}</span>
            {/* Shown when the device is in another time zone than the settings, for example after a journey. */}
            {settings.timeZone !== timeZone && (
              <Button variant="quiet" onClick={() => change({ timeZone })}>
                Use {formatTimeZone(timeZone)}
              </Button>
            )}
          </p>
        </>
      )}
    </SettingsSection>
  );
}

export function PushSettingsSections() {
  const client = useQueryClient();
  const viewer = useViewer();
  const { data, isError, refetch } = useQuery(settingsQuery());
  const { mutate, isPending, variables } = useApiMutation(updatePushSettings, {
    onSuccess: (saved) => client.setQueryData(settingsQuery().queryKey, saved),
  });
  if (!viewer || viewer.type === 'operator') return null;
  if (!data) return isError ? <ErrorState onRetry={() => void refetch()} /> : <SkeletonRows count={3} />;
  const settings = isPending ? applySettingsChange(data, variables.body) : data;
  const change: ChangeSettings = (body) => mutate({ body });
  const limits = [...new Set([...HOURLY_LIMITS, settings.pushesPerHour])].sort((one, other) => one - other);
  return (
    <>
      <SettingsSection title="Push notifications">
        <ThisDevice
          userId={viewer.id}
          onChange={() => void client.invalidateQueries({ queryKey: devicesQuery().queryKey })}
        />
        <DeviceList />
        <SelectField
          className="pt-4"
          label="Maximum per hour"
          hint="Calls and security alerts don’t count."
          value={String(settings.pushesPerHour)}
          options={limits.map((count) => ({
            value: String(count),
            label: count === 1 ? '1 notification' : `${count} notifications`,
          }))}
          onChange={({ currentTarget }) => change({ pushesPerHour: Number(currentTarget.value) })}
        />
      </SettingsSection>
      <QuietHours settings={settings} change={change} />
      <SettingsSection title="Lock screen">
        <Switch
          row
          label="Hide content on lock screen"
          hint="No names, amounts or message text on your lock screen."
          checked={settings.isDiscreet}
          onChange={({ currentTarget }) => change({ isDiscreet: currentTarget.checked })}
        />
        <LockScreen content={settings.isDiscreet ? undefined : LOCK_SCREEN_SAMPLES[viewer.type]} />
      </SettingsSection>
    </>
  );
}
