import type { Earning } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type ReactNode, useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatDayTime, formatExactTime, formatFutureDay } from '../../../platform/dates.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { ExpandableRow, ExpandableRows } from '../../../ui/expandable-row.tsx';
import { UiLink } from '../../../ui/link.tsx';
import * as texts from './texts.ts';

export type RenderProof = (transactionId: string) => ReactNode;

export function formatEarningStatus({ isReversed, clearedAt, clearsAt }: Earning, now: string): string {
  if (isReversed) return texts.refunded;
  if (clearedAt !== null) return texts.available;
  const day = formatFutureDay(clearsAt < now ? now : clearsAt, now);
  return formatText(texts.clearsOn, {
    day: day === 'Today' || day === 'Tomorrow' ? day.toLowerCase() : day.replace(/^\w+ /, ''),
  });
}

function formatAvailability({ isReversed, clearedAt, clearsAt }: Earning, now: string): string {
  if (isReversed) return texts.fullyRefunded;
  return clearedAt === null
    ? formatText(texts.pendingUntil, { time: formatExactTime(clearsAt < now ? now : clearsAt) })
    : formatText(texts.availableSince, { time: formatExactTime(clearedAt) });
}

function calculateBreakdown({
  gross,
  platformFee,
  affiliateFee,
  feePercent,
  net,
  refunded,
  netAfterRefunds,
  fan,
}: Earning) {
  const fee = formatText(texts.platformFeePercent, { feePercent });
  const platformShare = Math.round((platformFee - affiliateFee) * 100) / 100;
  const items = [
    { name: `${isolateText(fan.name)} paid`, value: formatUsd(gross) },
    ...(affiliateFee > 0
      ? [
          { name: `${fee}, excluding the affiliate’s share`, value: formatUsd(-platformShare) },
          { name: texts.affiliateShare, value: formatUsd(-affiliateFee) },
        ]
      : [{ name: fee, value: formatUsd(-platformFee) }]),
  ];
  if (refunded === 0) return { items, total: { name: texts.youEarn, value: formatUsd(net) } };
  const refundedFee = Math.round((refunded - (net - netAfterRefunds)) * 100) / 100;
  return {
    items: [
      ...items,
      { name: texts.refundedToTheFan, value: formatUsd(-refunded) },
      { name: texts.platformFeeRefunded, value: formatUsd(refundedFee) },
    ],
    total: { name: texts.youEarn, value: formatUsd(netAfterRefunds) },
  };
}

function EarningDetail({ earning, now, proof }: { earning: Earning; now: string; proof: ReactNode }) {
  return (
    <>
      <PriceSummary {...calculateBreakdown(earning)} />
      <p className="pt-3 text-small text-muted">
        {formatAvailability(earning, now)}
        {earning.href !== null && (
          <>
            {' '}
            <UiLink href={earning.href} className="link">
              {texts.viewItem}
            </UiLink>
          </>
        )}
      </p>
      {proof}
    </>
  );
}

function TransactionRow({ earning, now, renderProof }: { earning: Earning; now: string; renderProof: RenderProof }) {
  const [isOpened, setOpened] = useState(false);
  const { title, fan, note, detail, isReversed, net, netAfterRefunds, refunded } = earning;
  const description = note ? `“${isolateText(note)}”` : isolateText(detail);
  const refundText =
    refunded > 0 && !isReversed ? formatText(texts.partialRefund, { amount: formatUsd(refunded) }) : '';
  return (
    <ExpandableRow
      lead={<Avatar name={fan.name} src={fan.avatarUrl} />}
      title={formatText(texts.saleFromFan, { title, fanName: isolateText(fan.name) })}
      sub={[formatDayTime(earning.createdAt, now), description, refundText].filter(Boolean).join(' · ')}
      amount={formatUsd(isReversed ? net : netAfterRefunds, { sign: true })}
      status={formatEarningStatus(earning, now)}
      void={isReversed}
      onOpen={() => setOpened(true)}
    >
      <EarningDetail earning={earning} now={now} proof={isOpened && renderProof(earning.id)} />
    </ExpandableRow>
  );
}

/** `now` is an ISO timestamp. */
export function EarningTransactions({
  earnings,
  now,
  renderProof,
}: {
  earnings: readonly Earning[];
  now: string;
  renderProof: RenderProof;
}) {
  return (
    <ExpandableRows label={texts.transactions}>
      {earnings.map((earning) => (
        <TransactionRow key={earning.id} earning={earning} now={now} renderProof={renderProof} />
      ))}
    </ExpandableRows>
  );
}
