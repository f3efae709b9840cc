import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Earning } from '@stagedoor/contract/earnings.ts';
import { type ReactNode, useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { formatComingDay, formatDayTime, formatExact } from '../../kernel/dates.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Entries, Entry } from '../../ui/entry.tsx';
import { Sum } from '../../ui/facts.tsx';
import { UiLink } from '../../ui/link.tsx';

export type ProofOf = (transactionId: string) => ReactNode;

export function fateOf({ isReversed, clearedAt, clearsAt }: Earning, now: string): string {
  if (isReversed) return 'Refunded';
  if (clearedAt !== null) return 'Available';
  const day = formatComingDay(clearsAt < now ? now : clearsAt, now);
  return `Clears ${day === 'Today' || day === 'Tomorrow' ? day.toLowerCase() : day.replace(/^\w+ /, '')}`;
}

function whenOf({ isReversed, clearedAt, clearsAt }: Earning, now: string): string {
  if (isReversed) return 'Fully refunded to the fan.';
  return clearedAt === null
    ? `Pending until ${formatExact(clearsAt < now ? now : clearsAt)}.`
    : `Available since ${formatExact(clearedAt)}.`;
}

function workingOf({ gross, platformFee, affiliateFee, feePercent, net, givenBack, kept, fan }: Earning) {
  const fee = `Platform fee, ${feePercent}%`;
  const platforms = Math.round((platformFee - affiliateFee) * 100) / 100;
  const lines = [
    { name: `${isolated(fan.name)} paid`, value: formatUsd(gross) },
    ...(affiliateFee > 0
      ? [
          { name: `${fee}, excluding the affiliate’s share`, value: formatUsd(-platforms) },
          { name: 'Affiliate’s share of the fee', value: formatUsd(-affiliateFee) },
        ]
      : [{ name: fee, value: formatUsd(-platformFee) }]),
  ];
  if (givenBack === 0) return { lines, total: { name: 'You earn', value: formatUsd(net) } };
  const feeBack = Math.round((givenBack - (net - kept)) * 100) / 100;
  return {
    lines: [
      ...lines,
      { name: 'Refunded to the fan', value: formatUsd(-givenBack) },
      { name: 'Platform fee refunded', value: formatUsd(feeBack) },
    ],
    total: { name: 'You earn', value: formatUsd(kept) },
  };
}

function Journal({ earning, now, proof }: { earning: Earning; now: string; proof: ReactNode }) {
  return (
    <>
      <Sum {...workingOf(earning)} />
      <p className="pt-3 text-small text-muted">
        {whenOf(earning, now)}
        {earning.href !== null && (
          <>
            {' '}
            <UiLink href={earning.href} className="link">
              View item
            </UiLink>
          </>
        )}
      </p>
      {proof}
    </>
  );
}

function Line({ earning, now, proofOf }: { earning: Earning; now: string; proofOf: ProofOf }) {
  const [isOpened, setOpened] = useState(false);
  const { title, fan, note, detail, isReversed, net, kept, givenBack } = earning;
  const words = note ? `“${isolated(note)}”` : isolated(detail);
  const back = givenBack > 0 && !isReversed ? `${formatUsd(givenBack)} refunded` : '';
  return (
    <Entry
      lead={<Avatar name={fan.name} src={fan.avatarUrl} />}
      title={`${title} from ${isolated(fan.name)}`}
      sub={[formatDayTime(earning.createdAt, now), words, back].filter(Boolean).join(' · ')}
      amount={formatUsd(isReversed ? net : kept, { sign: true })}
      word={fateOf(earning, now)}
      void={isReversed}
      onOpen={() => setOpened(true)}
    >
      <Journal earning={earning} now={now} proof={isOpened && proofOf(earning.id)} />
    </Entry>
  );
}

/** `now` is an ISO timestamp. */
export function Transactions({
  earnings,
  now,
  proofOf,
}: {
  earnings: readonly Earning[];
  now: string;
  proofOf: ProofOf;
}) {
  return (
    <Entries label="Transactions">
      {earnings.map((earning) => (
        <Line key={earning.id} earning={earning} now={now} proofOf={proofOf} />
      ))}
    </Entries>
  );
}
