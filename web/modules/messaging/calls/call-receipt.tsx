import { type CallDetail, getCallLog } from '@stagedoor/contract/messaging/calls.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { CALL_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { formatCents, formatRate, formatUsd } from '@stagedoor/contract/shared/money.ts';
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
import {
  calculateDuration,
  calculateReconnectSeconds,
  calculateSums,
  listTimeline,
  type TimelineEntry,
} from './receipt-lines.ts';
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

function CreatorSum({ detail, split }: { detail: CallDetail; split: NonNullable<CallDetail['split']> }) {
  const { refunded } = detail;
  const { tipCents, totalCents } = calculateSums(detail);
  return (
    <PriceSummary
      className="border-t border-line pt-1.5"
      items={[
        { name: tipCents > 0 ? texts.fanPaidForTheCall : texts.fanPaid, value: formatUsd(split.gross) },
        { name: `Platform, ${split.feePercent}%`, value: formatUsd(-split.platformFee) },
        ...(refunded > 0 ? [{ name: texts.refundedToTheFan, value: formatUsd(-refunded) }] : []),
        ...(tipCents > 0 ? [{ name: texts.tips, value: formatCents(tipCents) }] : []),
      ]}
      total={{ name: texts.youEarn, value: formatCents(totalCents) }}
    />
  );
}

/** Adds up the call and its tips. Without tips the headline is enough. */
function FanTotal({ detail }: { detail: CallDetail }) {
  const { amount, refunded } = detail;
  const { tipCents, totalCents } = calculateSums(detail);
  if (tipCents === 0) return null;
  return (
    <PriceSummary
      className="border-t border-line pt-1.5"
      items={[
        { name: texts.call, value: formatUsd(amount) },
        ...(refunded > 0 ? [{ name: texts.refundedToYou, value: formatUsd(-refunded) }] : []),
        { name: texts.tips, value: formatCents(tipCents) },
      ]}
      total={{ name: texts.fanTotalPaid, value: formatCents(totalCents) }}
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
  const { tipCents, totalCents } = calculateSums(detail);
  const paidLabel = detail.isOutgoing ? texts.paid : texts.youEarn;
  const label = tipCents > 0 ? formatText(texts.withTips, { label: paidLabel }) : paidLabel;
  return (
    <>
      <p className="call-amount">{formatCents(totalCents)}</p>
      <p className="num pt-1 pb-3.5 text-small whitespace-normal!">
        {detail.isFree
          ? [
              ...(tipCents > 0 ? [texts.tips] : []),
              formatText(texts.freeCallSummary, {
                duration: formatSeconds(detail.durationSeconds),
                freeLimit: formatSeconds(CALL_LIMITS.freeSeconds),
              }),
            ].join(' · ')
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
          detail.split && <CreatorSum detail={detail} split={detail.split} />
        )}
        <Tips tips={detail.tips} />
        {detail.isOutgoing && <FanTotal detail={detail} />}
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
