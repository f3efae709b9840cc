import { formatRate, formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { CALL } from '@stagedoor/contract/atoms/room-limits.ts';
import { type CallDetail, getCallLog } from '@stagedoor/contract/calls.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { formatTalk } from '../../kernel/dates.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/dialog.tsx';
import { Sum } from '../../ui/facts.tsx';
import { ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { useCallParts } from './parts.ts';
import { givenBackWords, KIND_WORDS, overWords, shortName } from './words.ts';

/** The call may still be in the process of closing at the first request. */
const AGAIN_MS = 1_000;
export const logQuery = (id: string) => apiQuery(getCallLog, { params: { id } });

const clock = (iso: string) => new Date(iso).toLocaleTimeString('en-GB');
const secondsWords = (seconds: number) => `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
const day = (iso: string) =>
  new Date(iso).toLocaleDateString('en-GB', { weekday: 'long', day: 'numeric', month: 'long' });

type Moment = CallDetail['timeline'][number];

function momentWords({ moment, by }: Moment, detail: CallDetail): string {
  const isMine = by !== null && (by === 'fan') === detail.isOutgoing;
  const who = by === null ? undefined : isMine ? 'You' : shortName(detail.other.name);
  switch (moment) {
    case 'called':
      return detail.isOutgoing ? 'You called' : `${shortName(detail.other.name)} called`;
    case 'rang':
      return 'Ringing';
    case 'answered':
      return `${who ?? 'They'} answered`;
    case 'clockStarts':
      return 'Connected, billing starts';
    case 'clockStops':
      return 'Connection lost, billing stops';
    case 'tookOver':
      return `${who ?? 'They'} switched devices`;
    case 'warned':
      return 'Low balance warning';
    case 'extended':
      return 'Another minute held';
    case 'over':
      return detail.reason === 'hungUp' && who
        ? `${who} ended the call`
        : overWords(detail.reason, detail.other.name, detail.isOutgoing).line;
  }
}

/** Reserved money appears in another list, and the ringing time is part of the waiting time. */
const isTold = ({ moment }: Moment) => moment !== 'extended' && moment !== 'rang';

const secondOf = ({ at }: Moment) => Math.floor(Date.parse(at) / 1000);
function lastsUntil(from: Moment, to: Moment | undefined): number {
  return to ? secondOf(to) - secondOf(from) : 0;
}

/** The clock stops when the call ends, so that event is not listed separately. */
function told(detail: CallDetail): Moment[] {
  const moments = detail.timeline.filter(isTold);
  return moments.filter(({ moment }, index) => !(moment === 'clockStops' && moments[index + 1]?.moment === 'over'));
}

const isAgain = (moments: readonly Moment[], index: number) =>
  moments[index]?.moment === 'clockStarts' && moments.slice(0, index).some(({ moment }) => moment === 'clockStarts');

function Timeline({ detail }: { detail: CallDetail }) {
  const moments = told(detail);
  return (
    <ol className="call-line border-t border-line py-2">
      {moments.map((moment, index) => {
        const isGap = moment.moment === 'clockStops';
        const end =
          moment.moment === 'over'
            ? formatTalk(detail.durationSeconds)
            : isGap || index === 0
              ? formatTalk(lastsUntil(moment, moments[index + 1]))
              : '';
        return (
          <li key={`${moment.at} ${moment.moment}`} data-gap={isGap ? '' : undefined}>
            <span>{clock(moment.at)}</span>
            <span>{isAgain(moments, index) ? 'Reconnected' : momentWords(moment, detail)}</span>
            <span>{end}</span>
          </li>
        );
      })}
    </ol>
  );
}

function gapSeconds(detail: CallDetail): number {
  const moments = told(detail);
  const gaps = moments.map((moment, index) =>
    moment.moment === 'clockStops' ? lastsUntil(moment, moments[index + 1]) : 0,
  );
  return gaps.reduce((sum, seconds) => sum + seconds, 0);
}

function FanSum({ detail }: { detail: CallDetail }) {
  const gap = gapSeconds(detail);
  return (
    <Sum
      className="border-t border-line pt-1.5"
      lines={[
        { name: 'Held', value: formatUsd(detail.held ?? 0) },
        { name: 'Charged', value: formatUsd(-(detail.charged ?? 0)) },
        ...(gap > 0 ? [{ name: `Reconnecting, ${secondsWords(gap)}`, value: formatUsd(0) }] : []),
      ]}
      total={{ name: 'Released to you', value: formatUsd(detail.released ?? 0) }}
    />
  );
}

function CreatorSum({ split, givenBack }: { split: NonNullable<CallDetail['split']>; givenBack: number }) {
  const kept = Math.round((split.creator - givenBack) * 100) / 100;
  return (
    <Sum
      className="border-t border-line pt-1.5"
      lines={[
        { name: 'Fan paid', value: formatUsd(split.gross) },
        { name: `Platform, ${split.feePercent}%`, value: formatUsd(-split.platformFee) },
        ...(givenBack > 0 ? [{ name: 'Refunded to the fan', value: formatUsd(-givenBack) }] : []),
      ]}
      total={{ name: 'You earn', value: formatUsd(kept) }}
    />
  );
}

function Entries({ detail }: { detail: CallDetail }) {
  if (detail.entries.length === 0) return null;
  return (
    <details className="border-t border-line">
      <summary className="flex min-h-11 cursor-pointer items-center text-small text-muted">Ledger entries</summary>
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

function Paid({ detail }: { detail: CallDetail }) {
  const word = detail.isOutgoing ? 'Paid' : 'You earn';
  return (
    <>
      <p className="call-amount">{formatUsd(detail.amount)}</p>
      <p className="num pt-1 pb-3.5 text-small whitespace-normal!">
        {detail.isFree
          ? `Free: ${secondsWords(detail.durationSeconds)}, calls under ${secondsWords(CALL.freeSeconds)} are free`
          : [
              word,
              `${secondsWords(detail.chargedSeconds)} at ${formatRate(detail.amountPerMinute)}`,
              givenBackWords(detail),
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
        Report this call
      </Button>
      {isOpen && <Report personId={detail.other.id} callLogId={detail.callLogId} onClose={() => setOpen(false)} />}
    </>
  );
}

function Facts({ detail, actions }: { detail: CallDetail; actions: ReactNode }) {
  return (
    <div className="call-two">
      <div>
        <div className="flex items-center gap-3 pt-0.5 pb-4">
          <Avatar name={detail.other.name} src={detail.other.avatarUrl} />
          <div className="min-w-0">
            <bdi className="one-line block font-semibold">{detail.other.name}</bdi>
            <span className="text-small text-muted">
              {KIND_WORDS[detail.kind]}, {day(detail.createdAt)}
            </span>
          </div>
        </div>
        <Paid detail={detail} />
        <Timeline detail={detail} />
      </div>
      <div>
        {detail.isOutgoing ? (
          <FanSum detail={detail} />
        ) : (
          detail.split && <CreatorSum split={detail.split} givenBack={detail.givenBack} />
        )}
        <Entries detail={detail} />
        {actions}
        <ReportCall detail={detail} />
      </div>
    </div>
  );
}

export function Receipt({ id, onClose, actions }: { id: string; onClose: () => void; actions?: ReactNode }) {
  const log = useQuery({
    ...logQuery(id),
    staleTime: 0,
    refetchInterval: ({ state }) => state.data?.endedAt === null && AGAIN_MS,
  });
  return (
    <Sheet open onOpenChange={(isOpen) => !isOpen && onClose()} title="Receipt">
      {log.data?.endedAt ? (
        <Facts detail={log.data} actions={actions} />
      ) : log.isError ? (
        <>
          <ErrorState title="Couldn’t load the receipt." onRetry={() => void log.refetch()} busy={log.isFetching} />
          {actions}
        </>
      ) : (
        <>
          <SkeletonRows count={5} label="Calculating" />
          {actions}
        </>
      )}
    </Sheet>
  );
}
