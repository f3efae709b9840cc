import { type CallDetail, getCallLog } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatCallDuration } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { getTimeZone } from '../../../platform/time-zone.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Button } from '../../../ui/button.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { Sheet } from '../../../ui/dialog.tsx';
import { ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { CALL_KIND_LABELS, formatCallEnd, formatRefund, getFirstName } from './call-labels.ts';
import { useCallParts } from './call-parts.ts';
import * as texts from './texts.ts';

/** The call may still be in the process of closing at the first request. */
const POLL_MS = 1_000;
export const callLogQuery = (id: string) => apiQuery(getCallLog, { params: { id } });

const formatClock = (iso: string) => new Date(iso).toLocaleTimeString('en-GB', { timeZone: getTimeZone() });
const formatSeconds = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
const formatDay = (iso: string) =>
  new Date(iso).toLocaleDateString('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long' },
    timeZone: getTimeZone(),
  });

type TimelineEntry = CallDetail['timeline'][number];

function formatTimelineEntry({ event: kind, by }: TimelineEntry, detail: CallDetail): string {
  const isMine = by !== null && (by === 'fan') === detail.isOutgoing;
  const actorName = by === null ? undefined : isMine ? 'You' : getFirstName(detail.other.name);
  switch (kind) {
    case 'called':
      return detail.isOutgoing
        ? texts.youCalled
        : formatText(texts.userCalled, { name: getFirstName(detail.other.name) });
    case 'rang':
      return texts.ringing;
    case 'answered':
      return formatText(texts.actorAnswered, { actorName: actorName ?? texts.unknownActor });
    case 'clockStarts':
      return texts.connectedBillingStarts;
    case 'clockStops':
      return texts.connectionLostBillingStops;
    case 'tookOver':
      return formatText(texts.actorSwitchedDevices, { actorName: actorName ?? texts.unknownActor });
    case 'warned':
      return texts.lowBalanceWarning;
    case 'extended':
      return texts.anotherMinuteHeld;
    case 'tipped':
      return texts.tipPaidFromHold;
    case 'over':
      return detail.reason === 'hungUp' && actorName
        ? formatText(texts.actorEndedCall, { actorName })
        : formatCallEnd(detail.reason, detail.other.name, detail.isOutgoing).title;
  }
}

/** Reserved money and tips appear in other lists, and the ringing time is part of the waiting time. */
const isListed = ({ event: kind }: TimelineEntry) => kind !== 'extended' && kind !== 'tipped' && kind !== 'rang';

const toSecond = ({ at }: TimelineEntry) => Math.floor(Date.parse(at) / 1000);
function calculateDuration(from: TimelineEntry, to: TimelineEntry | undefined): number {
  return to ? toSecond(to) - toSecond(from) : 0;
}

/** The clock stops when the call ends, so that event is not listed separately. */
function listTimeline(detail: CallDetail): TimelineEntry[] {
  const timeline = detail.timeline.filter(isListed);
  return timeline.filter(({ event: kind }, index) => !(kind === 'clockStops' && timeline[index + 1]?.event === 'over'));
}

const isReconnect = (timeline: readonly TimelineEntry[], index: number) =>
  timeline[index]?.event === 'clockStarts' &&
  timeline.slice(0, index).some(({ event: kind }) => kind === 'clockStarts');

function Timeline({ detail }: { detail: CallDetail }) {
  const timeline = listTimeline(detail);
  return (
    <ol className="call-line border-t border-line py-2">
      {timeline.map((entry, index) => {
        const isGap = entry.event === 'clockStops';
        const duration =
          entry.event === 'over'
            ? formatCallDuration(detail.durationSeconds)
            : isGap || index === 0
              ? formatCallDuration(calculateDuration(entry, timeline[index + 1]))
              : '';
        return (
          <li key={`${entry.at} ${entry.event}`} data-gap={isGap ? '' : undefined}>
            <span>{formatClock(entry.at)}</span>
            <span>{isReconnect(timeline, index) ? texts.reconnected : formatTimelineEntry(entry, detail)}</span>
            <span>{duration}</span>
          </li>
        );
      })}
    </ol>
  );
}

function calculateReconnectSeconds(detail: CallDetail): number {
  const timeline = listTimeline(detail);
  const gaps = timeline.map((entry, index) =>
    entry.event === 'clockStops' ? calculateDuration(entry, timeline[index + 1]) : 0,
  );
  return gaps.reduce((sum, seconds) => sum + seconds, 0);
}

function FanSum({ detail }: { detail: CallDetail }) {
  const reconnectSeconds = calculateReconnectSeconds(detail);
  return (
    <PriceSummary
      className="border-t border-line pt-1.5"
      items={[
        { name: 'Held', value: formatUsd(detail.held ?? 0) },
        { name: 'Charged', value: formatUsd(-(detail.charged ?? 0)) },
        ...(reconnectSeconds > 0
          ? [{ name: `Reconnecting, ${formatSeconds(reconnectSeconds)}`, value: formatUsd(0) }]
          : []),
      ]}
      total={{ name: texts.releasedToYou, value: formatUsd(detail.released ?? 0) }}
    />
  );
}

function CreatorSum({ split, refunded }: { split: NonNullable<CallDetail['split']>; refunded: number }) {
  const netAmount = Math.round((split.creator - refunded) * 100) / 100;
  return (
    <PriceSummary
      className="border-t border-line pt-1.5"
      items={[
        { name: texts.fanPaid, value: formatUsd(split.gross) },
        { name: `Platform, ${split.feePercent}%`, value: formatUsd(-split.platformFee) },
        ...(refunded > 0 ? [{ name: texts.refundedToTheFan, value: formatUsd(-refunded) }] : []),
      ]}
      total={{ name: texts.youEarn, value: formatUsd(netAmount) }}
    />
  );
}

function Tips({ tips }: { tips: CallDetail['tips'] }) {
  if (tips.length === 0) return null;
  return (
    <section className="border-t border-line py-2.5">
      <h3 className="text-small text-muted">{texts.tipsInCall}</h3>
      <ul>
        {tips.map(({ id, createdAt, amount, note }) => (
          <li key={id} className="flex justify-between gap-4 py-1">
            <span className="min-w-0 wrap-anywhere">
              <span className="num text-muted">{formatClock(createdAt)}</span> <bdi>{note}</bdi>
            </span>
            <span className="num">{formatUsd(amount)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function JournalEntries({ detail }: { detail: CallDetail }) {
  if (detail.entries.length === 0) return null;
  return (
    <details className="border-t border-line">
      <summary className="flex min-h-11 cursor-pointer items-center text-small text-muted">
        {texts.ledgerEntries}
      </summary>
      <ul className="pb-3">
        {detail.entries.map(({ id, title, amount }) => (
          <li key={id} className="flex justify-between gap-4 py-1 text-small">
            <span className="min-w-0 wrap-anywhere">{title}</span>
            <span className="num">{formatUsd(amount)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function PaidAmount({ detail }: { detail: CallDetail }) {
  const label = detail.isOutgoing ? texts.paid : texts.youEarn;
  return (
    <>
      <p className="call-amount">{formatUsd(detail.amount)}</p>
      <p className="num pt-1 pb-3.5 text-small whitespace-normal!">
        {detail.isFree
          ? formatText(texts.freeCallSummary, {
              duration: formatSeconds(detail.durationSeconds),
              freeLimit: formatSeconds(CALL_LIMITS.freeSeconds),
            })
          : [
              label,
              formatText(texts.chargedTimeAtRate, {
                duration: formatSeconds(detail.chargedSeconds),
                callRate: formatRate(detail.amountPerMinute),
              }),
              formatRefund(detail),
            ]
              .filter(Boolean)
              .join(' · ')}
      </p>
    </>
  );
}

function ReportCall({ detail }: { detail: CallDetail }) {
  const { Report } = useCallParts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" icon="warning" className="-ml-2.5" onClick={() => setOpen(true)}>
        {texts.reportThisCall}
      </Button>
      {isOpen && <Report userId={detail.other.id} callLogId={detail.callLogId} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReceiptDetails({ detail, actions }: { detail: CallDetail; actions: ReactNode }) {
  return (
    <div className="call-two">
      <div>
        <div className="flex items-center gap-3 pt-0.5 pb-4">
          <Avatar name={detail.other.name} src={detail.other.avatarUrl} />
          <div className="min-w-0">
            <bdi className="one-line block font-semibold">{detail.other.name}</bdi>
            <span className="text-small text-muted">
              {CALL_KIND_LABELS[detail.kind]}, {formatDay(detail.createdAt)}
            </span>
          </div>
        </div>
        <PaidAmount detail={detail} />
        <Timeline detail={detail} />
      </div>
      <div>
        {detail.isOutgoing ? (
          <FanSum detail={detail} />
        ) : (
          detail.split && <CreatorSum split={detail.split} refunded={detail.refunded} />
        )}
        <Tips tips={detail.tips} />
        <JournalEntries detail={detail} />
        {actions}
        <ReportCall detail={detail} />
      </div>
    </div>
  );
}

export function CallReceipt({ id, onClose, actions }: { id: string; onClose: () => void; actions?: ReactNode }) {
  const log = useQuery({
    ...callLogQuery(id),
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.endedAt === null && POLL_MS,
  });
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()} title={texts.receipt}>
      {log.data?.endedAt ? (
        <ReceiptDetails detail={log.data} actions={actions} />
      ) : log.isError ? (
        <>
          <ErrorState title={texts.receiptError} onRetry={() => void log.refetch()} busy={log.isFetching} />
          {actions}
        </>
      ) : (
        <>
          <SkeletonRows count={5} label={texts.calculating} />
          {actions}
        </>
      )}
    </Sheet>
  );
}
