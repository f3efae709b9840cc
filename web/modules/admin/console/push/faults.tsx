import { listPushFaults } from '@stagedoor/contract/admin/push.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { formatCount, formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { Glyph } from '../../../../ui/rows.tsx';

type PushFault = ResponseOf<typeof listPushFaults>['data'][number];

const REFETCH_MS = 60_000;
export const pushFaultsQuery = () => ({ ...apiQuery(listPushFaults, {}), refetchInterval: REFETCH_MS });

const formatStatus = ({ status }: PushFault) => (status === null ? '' : ` (${status})`);
const formatHeadline = (fault: PushFault) =>
  fault.kind === 'refused'
    ? `${fault.service} is rejecting our requests${formatStatus(fault)}`
    : `${fault.service} isn’t accepting pushes${formatStatus(fault)}`;

function formatAdvice({ kind, service, isAlarm }: PushFault): string {
  if (kind === 'failing')
    return isAlarm
      ? 'Pushes are retried until they expire. Check whether the service is down and whether this server can reach it.'
      : 'Just started. Retrying; becomes an alert after 10 minutes.';
  return service === 'Apple (older Safari)'
    ? 'Check that SAFARI_PUSH_CERTIFICATE belongs to SAFARI_PUSH_ID and is still valid. Devices stay subscribed.'
    : 'Check that VAPID_PRIVATE_KEY is the key that devices subscribed with, and this server’s clock. Devices stay subscribed.';
}

export function PushFaultRows({ faults, now }: { faults: readonly PushFault[]; now: string }) {
  return (
    <ul className="rows" aria-label="Push services">
      {faults.map((fault) => (
        <li key={fault.service} className="row items-start">
          <Glyph icon="bell-off" />
          <div className="min-w-0">
            <p className="row__title">{formatHeadline(fault)}</p>
            <p className="text-small text-muted">
              Since <time dateTime={fault.since}>{formatDayTime(fault.since, now)}</time>,{' '}
              {formatCount(fault.pushes, 'push', 'pushes')}, last at {formatExactTime(fault.lastAt)}
            </p>
            <p className="pt-1 text-small">{formatAdvice(fault)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
