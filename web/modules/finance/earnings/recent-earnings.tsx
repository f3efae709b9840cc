/**
 * The latest earnings, updated live: all of them or tips only (row G1), each with the price, the platform fee and the
 * creator's share.
 */

import { type Earning, earningReceived, listEarnings } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { type QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isolateText } from '../../../platform/bidi.ts';
import { formatDayTime } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { useSocketEvent } from '../../../platform/socket-events.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Chip, Chips } from '../../../ui/chips.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { AmountRow, Rows } from '../../../ui/rows.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../../ui/states.tsx';
import { invalidateSums, mergeEarning } from './socket-events.ts';
import * as texts from './texts.ts';

const LIMIT = 10;
export const recentEarningsQuery = () => apiQuery(listEarnings, { query: { limit: LIMIT } });
export const recentTipsQuery = () => apiQuery(listEarnings, { query: { limit: LIMIT, kind: 'tip' } });

export function applyEarning(client: QueryClient, earning: Earning): void {
  for (const { queryKey } of earning.kind === 'tip'
    ? [recentEarningsQuery(), recentTipsQuery()]
    : [recentEarningsQuery()])
    client.setQueryData(
      queryKey,
      (page) => page && { ...page, data: mergeEarning(page.data, earning).slice(0, page.limit) },
    );
  invalidateSums(client);
}

function formatDetail(earning: Earning, now: string): string {
  const share = formatText(texts.grossLessFee, { gross: formatUsd(earning.gross), feePercent: earning.feePercent });
  const refundText =
    earning.refunded > 0 && !earning.isReversed
      ? formatText(texts.partialRefund, { amount: formatUsd(earning.refunded) })
      : '';
  const description = earning.note ? `“${isolateText(earning.note)}”` : isolateText(earning.detail);
  return [formatDayTime(earning.createdAt, now), description, share, refundText].filter(Boolean).join(' · ');
}

function getStatusLabel({ isReversed, refunded }: Earning): string {
  if (isReversed) return texts.refunded;
  return refunded > 0 ? texts.partiallyRefunded : texts.received;
}

function EarningList({ earnings, now, label }: { earnings: readonly Earning[]; now: string; label: string }) {
  return (
    <Rows label={label}>
      {earnings.map((earning) => (
        <AmountRow
          key={earning.id}
          lead={<Avatar name={earning.fan.name} src={earning.fan.avatarUrl} />}
          title={formatText(texts.saleFromFan, { title: earning.title, fanName: isolateText(earning.fan.name) })}
          sub={formatDetail(earning, now)}
          amount={formatUsd(earning.isReversed ? earning.net : earning.netAfterRefunds, { sign: true })}
          status={getStatusLabel(earning)}
          void={earning.isReversed}
          {...(earning.href && { href: earning.href })}
        />
      ))}
    </Rows>
  );
}

function RecentTips({ now }: { now: string }) {
  const tips = useQuery(recentTipsQuery());
  if (!tips.data)
    return tips.isError ? <ErrorState onRetry={() => void tips.refetch()} busy={tips.isFetching} /> : <SkeletonRows />;
  const { data } = tips.data;
  if (data.length === 0) return <EmptyState line={texts.noTipsTitle} more={texts.noTipsHint} />;
  return <EarningList earnings={data} now={now} label={texts.recentTips} />;
}

export function RecentEarnings({ now, moreHref }: { now: string; moreHref: string }) {
  const [onlyTips, setOnlyTips] = useState(false);
  const { data } = useSuspenseQuery(recentEarningsQuery()).data;
  useSocketEvent(earningReceived, applyEarning);
  if (data.length === 0)
    return (
      <section aria-labelledby="recent">
        <SectionHead id="recent" title={texts.recentEarnings} />
        <p className="py-4 text-muted">{texts.noEarningsHint}</p>
      </section>
    );
  return (
    <section aria-labelledby="recent">
      <SectionHead id="recent" title={texts.recentEarnings} end={texts.viewAll} href={moreHref} />
      <Chips label={texts.filter} className="mb-2">
        <Chip pressed={!onlyTips} onClick={() => setOnlyTips(false)}>
          {texts.allEarnings}
        </Chip>
        <Chip pressed={onlyTips} onClick={() => setOnlyTips(true)}>
          {texts.tips}
        </Chip>
      </Chips>
      {onlyTips ? <RecentTips now={now} /> : <EarningList earnings={data} now={now} label={texts.recentEarnings} />}
    </section>
  );
}
