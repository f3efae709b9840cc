import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { listPushDevices, removeOtherPushDevices, removePushDevice } from '@stagedoor/contract/push.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDayTime, withinSentence } from '../../../kernel/dates.ts';
import { useApiMutation } from '../../../kernel/mutation.ts';
import { apiQuery } from '../../../kernel/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Glyph, Row, Rows } from '../../../ui/rows.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';

type Device = ResponseOf<typeof listPushDevices>['data'][number];

export const devicesQuery = () => apiQuery(listPushDevices, {});

const wordsOf = ({ toldAt, since }: Device, now: string) =>
  toldAt === null
    ? `Since ${withinSentence(formatDayTime(since, now))}`
    : `Last push ${withinSentence(formatDayTime(toldAt, now))}`;

export function DeviceList() {
  const client = useQueryClient();
  const [now] = useState(() => new Date().toISOString());
  const { data, isError, refetch } = useQuery(devicesQuery());
  const keep = (left: ResponseOf<typeof listPushDevices>) => client.setQueryData(devicesQuery().queryKey, left);
  const refresh = () => client.invalidateQueries({ queryKey: devicesQuery().queryKey });
  const remove = useApiMutation(removePushDevice, { onSuccess: keep, onError: refresh });
  const removeOthers = useApiMutation(removeOtherPushDevices, { onSuccess: keep });
  if (!data) return isError ? <ErrorState onRetry={() => void refetch()} /> : <SkeletonRows count={2} />;
  const devices = data.data;
  if (devices.length === 0) return <p className="pt-3 text-small text-muted">No devices receive push notifications.</p>;
  const others = devices.filter(({ isThis }) => !isThis);
  return (
    <>
      <Rows label="Devices with push notifications" className="mt-2">
        {devices.map((device) => (
          <Row
            key={device.id}
            lead={<Glyph icon="device" />}
            title={device.name}
            sub={device.isThis ? `This device · ${wordsOf(device, now)}` : wordsOf(device, now)}
            end={
              device.isThis ? undefined : (
                <Button
                  aria-label={`Remove ${device.name}`}
                  busy={remove.isPending && remove.variables.params.deviceId === device.id}
                  onClick={() => remove.mutate({ params: { deviceId: device.id } })}
                >
                  Remove
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
          busyText="Removing…"
          onClick={() => removeOthers.mutate({})}
        >
          {others.length < devices.length ? 'Remove all other devices' : 'Remove all devices'}
        </Button>
      )}
    </>
  );
}
