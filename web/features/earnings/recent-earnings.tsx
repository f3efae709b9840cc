/**
 * The latest earnings, updated live: all of them or tips only (row G1), each with the price, the platform fee and the
 * creator's share.
 */

import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { type Earning, earningReceived, listEarnings } from '@stagedoor/contract/earnings.ts';
import { type QueryClient, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isolated } from '../../kernel/bidi.ts';
import { formatDayTime } from '../../kernel/dates.ts';
import { useLive } from '../../kernel/live.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Chip, Chips } from '../../ui/chips.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { AmountRow, Rows } from '../../ui/rows.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/states.tsx';
import { forgetSums, withEarning } from './live.ts';

const LIMIT = 10;
export const recentQuery = () => apiQuery(listEarnings, { query: { limit: LIMIT } });
export const recentTipsQuery = () => apiQuery(listEarnings, { query: { limit: LIMIT, kind: 'tip' } });

export function takeEarning(client: QueryClient, earning: Earning): void {
  for (const { queryKey } of earning.kind === 'tip' ? [recentQuery(), recentTipsQuery()] : [recentQuery()])
    client.setQueryData(
      queryKey,
      (page) => page && { ...page, data: withEarning(page.data, earning).slice(0, page.limit) },
    );
  forgetSums(client);
}

function detailOf(earning: Earning, now: string): string {
  const share = `${formatUsd(earning.gross)} less ${earning.feePercent}%`;
  const back = earning.givenBack > 0 && !earning.isReversed ? `${formatUsd(earning.givenBack)} refunded` : '';
  const words = earning.note ? `“${isolated(earning.note)}”` : isolated(earning.detail);
  return [formatDayTime(earning.createdAt, now), words, share, back].filter(Boolean).join(' · ');
}

function wordOf({ isReversed, givenBack }: Earning): string {
  if (isReversed) return 'Refunded';
  return givenBack > 0 ? 'Partially refunded' : 'Received';
}

function List({ earnings, now, label }: { earnings: readonly Earning[]; now: string; label: string }) {
  return (
    <Rows label={label}>
      {earnings.map((earning) => (
        <AmountRow
          key={earning.id}
          lead={<Avatar name={earning.fan.name} src={earning.fan.avatarUrl} />}
          title={`${earning.title} from ${isolated(earning.fan.name)}`}
          sub={detailOf(earning, now)}
          amount={formatUsd(earning.isReversed ? earning.net : earning.kept, { sign: true })}
          word={wordOf(earning)}
          void={earning.isReversed}
          {...(earning.href && { href: earning.href })}
        />
      ))}
    </Rows>
  );
}

function Tips({ now }: { now: string }) {
  const tips = useQuery(recentTipsQuery());
  if (!tips.data)
    return tips.isError ? <ErrorState onRetry={() => void tips.refetch()} busy={tips.isFetching} /> : <SkeletonRows />;
  const { data } = tips.data;
  if (data.length === 0) return <EmptyState line="No tips yet." more="New tips appear here." />;
  return <List earnings={data} now={now} label="Recent tips" />;
}

export function RecentEarnings({ now, moreHref }: { now: string; moreHref: string }) {
  const [onlyTips, setOnlyTips] = useState(false);
  const { data } = useSuspenseQuery(recentQuery()).data;
  useLive(earningReceived, takeEarning);
  if (data.length === 0)
    return (
      <section aria-labelledby="recent">
        <SectionHead id="recent" title="Recent earnings" />
        <p className="py-4 text-muted">No earnings yet. Sales and tips appear here as soon as they’re paid.</p>
      </section>
    );
  return (
    <section aria-labelledby="recent">
      <SectionHead id="recent" title="Recent earnings" end="View all" href={moreHref} />
      <Chips label="Filter" className="mb-2">
        <Chip pressed={!onlyTips} onClick={() => setOnlyTips(false)}>
          All
        </Chip>
        <Chip pressed={onlyTips} onClick={() => setOnlyTips(true)}>
          Tips
        </Chip>
      </Chips>
      {onlyTips ? <Tips now={now} /> : <List earnings={data} now={now} label="Recent earnings" />}
    </section>
  );
}
