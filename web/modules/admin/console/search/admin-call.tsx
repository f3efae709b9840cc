import { adminUserPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { AdminCallDetail } from '@stagedoor/contract/admin/content.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatDuration, formatExactTime } from '../../../../platform/dates.ts';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { PastDecisions } from '../entry-actions.tsx';
import { CaseSummaryRows, DetailSection } from './detail-section.tsx';

type TimelineEvent = AdminCallDetail['timeline'][number];
const TIMELINE_LABELS: Readonly<Record<TimelineEvent['event'], string>> = {
  called: 'Called',
  rang: 'Ringing',
  answered: 'Answered',
  clockStarts: 'Connected, clock starts',
  clockStops: 'Clock stops',
  tookOver: 'Switched device',
  warned: 'Low-funds warning',
  extended: 'Another minute put on hold',
  over: 'Ended',
};
const formatUtcClock = (iso: string) => new Date(iso).toISOString().slice(11, 19);

function Timeline({ view }: { view: AdminCallDetail }) {
  const formatActor = (by: TimelineEvent['by']) =>
    by === null ? '' : ` by @${by === 'fan' ? view.fan.username : view.creator.username}`;
  return (
    <ol className="lines" aria-label="Timeline">
      {view.timeline.map(({ at, event: eventKind, by, connectedMs }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: moments have no id and never change their order
        <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 text-small">
          <span>
            <span className="num text-muted">{formatUtcClock(at)}</span> {TIMELINE_LABELS[eventKind]}
            <span className="text-muted">{formatActor(by)}</span>
          </span>
          <span className="text-muted num">{formatDuration(Math.floor(connectedMs / 1000))} talked</span>
        </li>
      ))}
    </ol>
  );
}

export function AdminCallView({ view, now }: { view: AdminCallDetail; now: string }) {
  const { callLogId, fan, creator, kind, status, reason, createdAt, answeredAt, endedAt } = view;
  const { durationSeconds, amountPerMinute, held, amount, refunded, transactionId, stopped, cases } = view;
  const createLink = (href: string, label: string) => (
    <UiLink href={href} className="underline underline-offset-4">
      {label}
    </UiLink>
  );
  const details: DefinitionItem[] = [
    { name: 'Fan', value: createLink(adminUserPath(fan.id), `@${fan.username}`) },
    { name: 'Creator', value: createLink(adminUserPath(creator.id), `@${creator.username}`) },
    { name: 'Type', value: kind === 'video' ? 'Video call' : 'Voice call' },
    { name: 'Called', value: formatExactTime(createdAt) },
    { name: 'Answered', value: answeredAt === null ? 'No' : formatExactTime(answeredAt) },
    { name: 'Ended', value: endedAt === null ? 'Ongoing' : formatExactTime(endedAt) },
    { name: 'Status', value: reason === null ? status : `${status}: ${reason}` },
    { name: 'Connected for', value: formatDuration(durationSeconds) },
    { name: 'ID', value: <span className="wrap-anywhere">{callLogId}</span> },
  ];
  const money: DefinitionItem[] = [
    { name: 'Price', value: `${formatUsd(amountPerMinute)} a minute` },
    { name: 'On hold', value: formatUsd(held) },
    { name: endedAt === null ? 'Charged if it ended now' : 'Charged', value: formatUsd(amount) },
    ...(refunded === null ? [] : [{ name: 'Refunded', value: formatUsd(refunded) }]),
    ...(transactionId === null
      ? []
      : [{ name: 'In the ledger', value: createLink(ledgerTransactionPath(transactionId), 'Open the transaction') }]),
  ];
  return (
    <div className="grid gap-8">
      <DefinitionList strong items={details} />
      {stopped && <PastDecisions title="Reason" lines={[{ key: 'end', label: 'Ended', ...stopped }]} />}
      <DetailSection id="money" title="Money">
        <DefinitionList strong items={money} />
      </DetailSection>
      <DetailSection id="timeline" title="Timeline, UTC">
        <Timeline view={view} />
      </DetailSection>
      <DetailSection id="cases" title="Cases about this call">
        <CaseSummaryRows cases={cases} label="Cases about this call" now={now} />
      </DetailSection>
      <p className="text-small text-muted">Your view is recorded in the audit log.</p>
    </div>
  );
}
