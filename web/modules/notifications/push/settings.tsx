import {
  getPushSettings,
  type PushSettings,
  SAME_TIME_MESSAGE,
  updatePushSettings,
} from '@stagedoor/contract/notifications/push.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
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
import { ClockChangeNote } from '../../../ui/local-time-field.tsx';
import { getOwnZone } from '../../../ui/own-zone.ts';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { getPushState, type PushState, turnOffPush, turnOnPush } from './device.ts';
import { DeviceList, devicesQuery } from './device-list.tsx';
import { LockScreen } from './lock-screen.tsx';
import * as texts from './texts.ts';

const settingsQuery = () => apiQuery(getPushSettings, {});

type PushSettingsChange = NonNullable<RequestOf<typeof updatePushSettings>['body']>;

function applySettingsChange(settings: PushSettings, change: PushSettingsChange = {}): PushSettings {
  const { quietFrom = settings.quietFrom, quietUntil = settings.quietUntil, timeZone = settings.timeZone } = change;
  const { pushesPerHour = settings.pushesPerHour, isDiscreet = settings.isDiscreet } = change;
  return { quietFrom, quietUntil, timeZone, pushesPerHour, isDiscreet };
}

const NO_TIME_MESSAGE = texts.missingTimeError;
const DEFAULT_QUIET_HOURS = { quietFrom: '22:30', quietUntil: '07:30' };
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
const HOURLY_LIMITS = [1, 3, 5, 10, 20, 60];
const LOCK_SCREEN_SAMPLES = {
  customer: { title: texts.sampleCreatorTitle, body: texts.sampleMessageBody },
  creator: { title: texts.sampleTipTitle, body: '$16.00 earned' },
};

const STATE_MESSAGES: Readonly<Record<PushState, string>> = {
  on: texts.pushOnMessage,
  off: texts.pushPermissionHint,
  denied: texts.pushBlockedHint,
  install: texts.installFirstHint,
  none: texts.pushUnsupportedHint,
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
      label={texts.pushNotificationsOnThisDevice}
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
  const timeZone = getOwnZone();
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
    <SettingsSection title={texts.quietHours}>
      <Switch
        row
        label={texts.pausePushNotificationsOvernight}
        hint={texts.quietHoursHint}
        checked={isOn}
        onChange={({ currentTarget }) =>
          change(currentTarget.checked ? { ...DEFAULT_QUIET_HOURS, timeZone } : { quietFrom: null, quietUntil: null })
        }
      />
      {isOn && (
        <>
          <div className="grid grid-cols-2 gap-3 pt-3">
            {field(texts.quietHoursFrom, quietFrom, quietUntil, (time) => ({ quietFrom: time }))}
            {field(texts.quietHoursUntil, quietUntil, quietFrom, (time) => ({ quietUntil: time }))}
          </div>
          <ClockChangeNote time={quietFrom} weekdays={EVERY_DAY} zone={settings.timeZone} />
          <ClockChangeNote time={quietUntil} weekdays={EVERY_DAY} zone={settings.timeZone} />
          <p className="flex flex-wrap items-center gap-x-3 pt-2 text-small text-muted">
            <span>{formatText(texts.timeZoneNote, { timeZone: formatTimeZone(settings.timeZone) })}</span>
            {/* Shown when the device is in another time zone than the settings, for example after a journey. */}
            {settings.timeZone !== timeZone && (
              <Button variant="quiet" onClick={() => change({ timeZone })}>
                {formatText(texts.switchTimeZone, { timeZone: formatTimeZone(timeZone) })}
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
      <SettingsSection title={texts.pushNotifications}>
        <ThisDevice
          userId={viewer.id}
          onChange={() => void client.invalidateQueries({ queryKey: devicesQuery().queryKey })}
        />
        <DeviceList />
        <SelectField
          className="pt-4"
          label={texts.maximumPerHour}
          hint={texts.hourlyLimitHint}
          value={String(settings.pushesPerHour)}
          options={limits.map((count) => ({
            value: String(count),
            label: count === 1 ? '1 notification' : formatText(texts.notificationCount, { count }),
          }))}
          onChange={({ currentTarget }) => change({ pushesPerHour: Number(currentTarget.value) })}
        />
      </SettingsSection>
      <QuietHours settings={settings} change={change} />
      <SettingsSection title={texts.lockScreen}>
        <Switch
          row
          label={texts.hideContentOnLockScreen}
          hint={texts.lockScreenHint}
          checked={settings.isDiscreet}
          onChange={({ currentTarget }) => change({ isDiscreet: currentTarget.checked })}
        />
        <LockScreen content={settings.isDiscreet ? undefined : LOCK_SCREEN_SAMPLES[viewer.type]} />
      </SettingsSection>
    </>
  );
}
