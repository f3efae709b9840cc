import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { ledgerTransactionPath, personDeskPath } from '@stagedoor/contract/desk-addresses.ts';
import type { DeskCallView } from '@stagedoor/contract/lookup-things.ts';
import { formatDuration, formatExact } from '../../../kernel/dates.ts';
import { type Fact, FactList } from '../../../ui/facts.tsx';
import { UiLink } from '../../../ui/link.tsx';
import { Said } from '../entry-acts.tsx';
import { CaseRows, Part } from './parts.tsx';

type Moment = DeskCallView['timeline'][number];
const MOMENT_WORDS: Readonly<Record<Moment['moment'], string>> = {
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
const clockOf = (iso: string) => new Date(iso).toISOString().slice(11, 19);

function Timeline({ view }: { view: DeskCallView }) {
  const nameOf = (by: Moment['by']) =>
    by === null ? '' : ` by @${by === 'fan' ? view.fan.username : view.creator.username}`;
  return (
    <ol className="lines" aria-label="Timeline">
      {view.timeline.map(({ at, moment, by, talkedMs }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: moments have no id and never change their order
        <li key={index} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2 text-small">
          <span>
            <span className="num text-muted">{clockOf(at)}</span> {MOMENT_WORDS[moment]}
            <span className="text-muted">{nameOf(by)}</span>
          </span>
          <span className="text-muted num">{formatDuration(Math.floor(talkedMs / 1000))} talked</span>
        </li>
      ))}
    </ol>
  );
}

export function CallView({ view, now }: { view: DeskCallView; now: string }) {
  const { callLogId, fan, creator, kind, status, reason, createdAt, answeredAt, endedAt } = view;
  const { durationSeconds, amountPerMinute, held, amount, givenBack, transactionId, stopped, cases } = view;
  const link = (href: string, words: string) => (
    <UiLink href={href} className="underline underline-offset-4">
      {words}
    </UiLink>
  );
  const facts: Fact[] = [
    { name: 'Fan', value: link(personDeskPath(fan.id), `@${fan.username}`) },
    { name: 'Creator', value: link(personDeskPath(creator.id), `@${creator.username}`) },
    { name: 'Type', value: kind === 'video' ? 'Video call' : 'Voice call' },
    { name: 'Called', value: formatExact(createdAt) },
    { name: 'Answered', value: answeredAt === null ? 'No' : formatExact(answeredAt) },
    { name: 'Ended', value: endedAt === null ? 'Ongoing' : formatExact(endedAt) },
    { name: 'Status', value: reason === null ? status : `${status}: ${reason}` },
    { name: 'Connected for', value: formatDuration(durationSeconds) },
    { name: 'ID', value: <span className="wrap-anywhere">{callLogId}</span> },
  ];
  const money: Fact[] = [
    { name: 'Price', value: `${formatUsd(amountPerMinute)} a minute` },
    { name: 'On hold', value: formatUsd(held) },
    { name: endedAt === null ? 'Charged if it ended now' : 'Charged', value: formatUsd(amount) },
    ...(givenBack === null ? [] : [{ name: 'Refunded', value: formatUsd(givenBack) }]),
    ...(transactionId === null
      ? []
      : [{ name: 'In the ledger', value: link(ledgerTransactionPath(transactionId), 'Open the transaction') }]),
  ];
  return (
    <div className="grid gap-8">
      <FactList strong facts={facts} />
      {stopped && <Said title="Reason" lines={[{ key: 'end', words: 'Ended', ...stopped }]} />}
      <Part id="money" title="Money">
        <FactList strong facts={money} />
      </Part>
      <Part id="timeline" title="Timeline, UTC">
        <Timeline view={view} />
      </Part>
      <Part id="cases" title="Cases about this call">
        <CaseRows lines={cases} label="Cases about this call" now={now} />
      </Part>
      <p className="text-small text-muted">Your view is recorded in the audit log.</p>
    </div>
  );
}
