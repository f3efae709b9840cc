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
    ? `${fault.service} refuses what we send${said(fault)}`
    : `${fault.service} takes nothing${said(fault)}`;

function adviceOf({ kind, service, isAlarm }: Fault): string {
  if (kind === 'failing')
    return isAlarm
      ? 'What is due there is tried again for as long as it is worth something. See whether the service is down, and whether this machine reaches it.'
      : 'Only just now. It is tried again, and is an alarm after ten minutes.';
  return service === 'Apple (older Safari)'
    ? 'Is SAFARI_PUSH_CERTIFICATE the one of SAFARI_PUSH_ID, and still good? Devices are kept meanwhile.'
    : 'Is VAPID_PRIVATE_KEY the one that devices subscribed with, and the clock of this machine right? Devices are kept meanwhile.';
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
              {plural(fault.pushes, 'push', 'pushes')}, the last at {formatExact(fault.lastAt)}
            </p>
            <p className="pt-1 text-small">{adviceOf(fault)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
