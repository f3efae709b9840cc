import { listPushFaults } from '@stagedoor/contract/admin/push.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import type { ResponseOf } from '@stagedoor/contract/shared/route.ts';
import { formatCount, formatDayTime, formatExactTime } from '../../../../platform/dates.ts';
import { apiQuery } from '../../../../platform/query.ts';
import { formatNodes } from '../../../../ui/format-nodes.ts';
import { Glyph } from '../../../../ui/rows.tsx';
import * as texts from './texts.ts';

type PushFault = ResponseOf<typeof listPushFaults>['data'][number];

const REFETCH_MS = 60_000;
export const pushFaultsQuery = () => ({ ...apiQuery(listPushFaults, {}), refetchInterval: REFETCH_MS });

const formatStatus = ({ status }: PushFault) => (status === null ? '' : ` (${status})`);
const formatHeadline = (fault: PushFault) =>
  fault.kind === 'refused'
    ? formatText(texts.serviceRejectsRequests, { service: fault.service, status: formatStatus(fault) })
    : formatText(texts.serviceRefusesPushes, { service: fault.service, status: formatStatus(fault) });

function formatAdvice({ kind, service, isAlarm }: PushFault): string {
  if (kind === 'failing') return isAlarm ? texts.serviceDownHint : texts.justStartedHint;
  return service === 'Apple (older Safari)' ? texts.safariCertificateHint : texts.vapidKeyHint;
}

export function PushFaultRows({ faults, now }: { faults: readonly PushFault[]; now: string }) {
  return (
    <ul className="rows" aria-label={texts.pushServices}>
      {faults.map((fault) => (
        <li key={fault.service} className="row items-start">
          <Glyph icon="bell-off" />
          <div className="min-w-0">
            <p className="row__title">{formatHeadline(fault)}</p>
            <p className="text-small text-muted">
              {formatNodes(texts.faultTimes, {
                since: <time dateTime={fault.since}>{formatDayTime(fault.since, now)}</time>,
                pushCount: formatCount(fault.pushes, 'push', 'pushes'),
                lastTime: formatExactTime(fault.lastAt),
              })}
            </p>
            <p className="pt-1 text-small">{formatAdvice(fault)}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
