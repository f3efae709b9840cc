import { adminUserPath, ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { AdminCallDetail } from '@stagedoor/contract/admin/content.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { formatDuration, formatExactTime } from '../../../../platform/dates.ts';
import { type DefinitionItem, DefinitionList } from '../../../../ui/definition-list.tsx';
import { UiLink } from '../../../../ui/link.tsx';
import { PastDecisions } from '../entry-actions.tsx';
import { CaseSummaryRows, DetailSection } from './detail-section.tsx';
import * as texts from './texts.ts';

type TimelineEvent = AdminCallDetail['timeline'][number];
const TIMELINE_LABELS: Readonly<Record<TimelineEvent['event'], string>> = {
  called: texts.called,
  rang: texts.ringing,
  answered: texts.answered,
  clockStarts: texts.connectedClockStarts,
  clockStops: texts.clockStops,
  tookOver: texts.switchedDevice,
  warned: texts.lowFundsWarning,
  extended: texts.anotherMinutePutOnHold,
  tipped: texts.tipPaidFromHold,
  over: texts.ended,
};
const formatUtcClock = (iso: string) => new Date(iso).toISOString().slice(11, 19);

function Timeline({ view }: { view: AdminCallDetail }) {
  const formatActor = (by: TimelineEvent['by']) =>
    by === null ? '' : formatText(texts.byUser, { username: by === 'fan' ? view.fan.username : view.creator.username });
  return (
    <ol className="lines" aria-label={texts.timeline}>
      {view.timeline.map(({ at, event: eventKind, by, connectedMs }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: moments have no id and never change their order
        <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 text-small">
          <span>
            <span className="num text-muted">{formatUtcClock(at)}</span> {TIMELINE_LABELS[eventKind]}
            <span className="text-muted">{formatActor(by)}</span>
          </span>
          <span className="text-muted num">
            {formatText(texts.talkedFor, { duration: formatDuration(Math.floor(connectedMs / 1000)) })}
          </span>
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
    { name: 'Type', value: kind === 'video' ? texts.videoCall : texts.voiceCall },
    { name: 'Called', value: formatExactTime(createdAt) },
    { name: 'Answered', value: answeredAt === null ? 'No' : formatExactTime(answeredAt) },
    { name: 'Ended', value: endedAt === null ? 'Ongoing' : formatExactTime(endedAt) },
    { name: 'Status', value: reason === null ? status : `${status}: ${reason}` },
    { name: texts.connectedFor, value: formatDuration(durationSeconds) },
    { name: 'ID', value: <span className="wrap-anywhere">{callLogId}</span> },
  ];
  const money: DefinitionItem[] = [
    { name: 'Price', value: `${formatUsd(amountPerMinute)} a minute` },
    { name: texts.onHold, value: formatUsd(held) },
    { name: endedAt === null ? texts.chargedIfEndedNow : 'Charged', value: formatUsd(amount) },
    ...(refunded === null ? [] : [{ name: 'Refunded', value: formatUsd(refunded) }]),
    ...(transactionId === null
      ? []
      : [
          {
            name: texts.inTheLedger,
            value: createLink(ledgerTransactionPath(transactionId), texts.openTheTransaction),
          },
        ]),
  ];
  return (
    <div className="grid gap-8">
      <DefinitionList strong items={details} />
      {stopped && <PastDecisions title={texts.reason} lines={[{ key: 'end', label: texts.ended, ...stopped }]} />}
      <DetailSection id="money" title={texts.money}>
        <DefinitionList strong items={money} />
      </DetailSection>
      <DetailSection id="timeline" title={texts.timelineUtc}>
        <Timeline view={view} />
      </DetailSection>
      <DetailSection id="cases" title={texts.casesAboutThisCall}>
        <CaseSummaryRows cases={cases} label={texts.casesAboutThisCall} now={now} />
      </DetailSection>
      <p className="text-small text-muted">{texts.viewRecordedHint}</p>
    </div>
  );
}
