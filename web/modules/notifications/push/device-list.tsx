import { listPushDevices, removeOtherPushDevices, removePushDevice } from '@stagedoor/contract/notifications/push.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDayTime, lowercaseDayWord } from '../../../platform/dates.ts';
import { useApiMutation } from '../../../platform/mutation.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Glyph, Row, Rows } from '../../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import * as texts from './texts.ts';

type PushDevice = ResponseOf<typeof listPushDevices>['data'][number];

export const devicesQuery = () => apiQuery(listPushDevices, {});

const formatLastPush = ({ lastPushedAt, since }: PushDevice, now: string) =>
  lastPushedAt === null
    ? formatText(texts.deviceSince, { date: lowercaseDayWord(formatDayTime(since, now)) })
    : formatText(texts.lastPush, { time: lowercaseDayWord(formatDayTime(lastPushedAt, now)) });

export function DeviceList() {
  const client = useQueryClient();
  const [now] = useState(() => new Date().toISOString());
  const { data, isError, refetch } = useQuery(devicesQuery());
  const setDevices = (remaining: ResponseOf<typeof listPushDevices>) =>
    client.setQueryData(devicesQuery().queryKey, remaining);
  const refresh = () => client.invalidateQueries({ queryKey: devicesQuery().queryKey });
  const remove = useApiMutation(removePushDevice, { onSuccess: setDevices, onError: refresh });
  const removeOthers = useApiMutation(removeOtherPushDevices, { onSuccess: setDevices });
  if (!data) return isError ? <ErrorState onRetry={() => void refetch()} /> : <SkeletonRows count={2} />;
  const devices = data.data;
  if (devices.length === 0) return <p className="pt-3 text-small text-muted">{texts.noPushDevices}</p>;
  const others = devices.filter(({ isCurrent }) => !isCurrent);
  return (
    <>
      <Rows label={texts.devicesWithPushNotifications} className="mt-2">
        {devices.map((device) => (
          <Row
            key={device.id}
            lead={<Glyph icon="device" />}
            title={device.name}
            sub={
              device.isCurrent
                ? formatText(texts.thisDevice, { pushTime: formatLastPush(device, now) })
                : formatLastPush(device, now)
            }
            end={
              device.isCurrent ? undefined : (
                <Button
                  aria-label={formatText(texts.removeDevice, { name: device.name })}
                  busy={remove.isPending && remove.variables.params.deviceId === device.id}
                  onClick={() => remove.mutate({ params: { deviceId: device.id } })}
                >
                  {texts.remove}
                </Button>
              )
            }
          />
        ))}
      </Rows>
      {others.length > 1 && (
        <Button
          className="mt-4"
          busy={removeOthers.isPending}
          busyText={texts.removing}
          onClick={() => removeOthers.mutate({})}
        >
          {others.length < devices.length ? texts.removeAllOtherDevices : texts.removeAllDevices}
        </Button>
      )}
    </>
  );
}
