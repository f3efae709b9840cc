import type { ResponseOf } from '@stagedoor/contract/atoms/route.ts';
import { listPushFaults } from '@stagedoor/contract/push-desk.ts';
import { formatDayTime, formatExact, plural } from '../../../kernel/dates.ts';
import { apiQuery } from '../../../kernel/query.ts';
import { Glyph } from '../../../ui/rows.tsx';

type Fault = ResponseOf<typeof listPushFaults>['data'][number];

const EVERY_MS = 60_000;
export const faultsQuery = () => ({ ...apiQuery(listPushFaults, {}), refetchInterval: EVERY_MS });

const said = ({ status }: Fault) => (status === null ? '' : ` (${status})`);
const headOf = (fault: Fault) =>
  fault.kind === 'refused'
    ? `${fault.service} is rejecting our requests${said(fault)}`
    : `${fault.service} isn’t accepting pushes${said(fault)}`;

function adviceOf({ kind, service, isAlarm }: Fault): string {
  if (kind === 'failing')
    return isAlarm
      ? 'Pushes are retried until they expire. Check whether the service is down and whether this server can reach it.'
      : 'Just started. Retrying; becomes an alert after 10 minutes.';
  return service === 'Apple (older Safari)'
    ? 'Check that SAFARI_PUSH_CERTIFICATE belongs to SAFARI_PUSH_ID and is still valid. Devices stay subscribed.'
    : 'Check that VAPID_PRIVATE_KEY is the key that devices subscribed with, and this server’s clock. Devices stay subscribed.';
}

export function FaultRows({ faults, now }: { faults: readonly Fault[]; now: string }) {
  return (
    <ul className="rows" aria-label="Push services">
      {faults.map((fault) => (
        <li key={fault.service} className="row items-start">
          <Glyph icon="bell-off" />
          <div className="min-w-0">
            <p className="row__title">{headOf(fault)}</p>
            <p className="text-small text-muted">
              Since <time dateTime={fault.since}>{formatDayTime(fault.since, now)}</time>,{' '}
              {plural(fault.pushes, 'push', 'pushes')}, last at {formatExact(fault.lastAt)}
            </p>
            <p className="pt-1 text-small">{adviceOf(fault)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
