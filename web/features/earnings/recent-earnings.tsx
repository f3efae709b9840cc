/** Recent tips and unlocks as they come in, each with what was paid, what the platform keeps, and what is the creator's. */

import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { type Earning, earningReceived, listEarnings } from '@stagedoor/contract/earnings.ts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { isolated } from '../../kernel/bidi.ts';
import { formatDayTime } from '../../kernel/dates.ts';
import { useLive } from '../../kernel/live.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { AmountRow, Rows } from '../../ui/rows.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { forgetSums, withEarning } from './live.ts';

export const recentQuery = () => apiQuery(listEarnings, { query: { limit: 10 } });

function detailOf(earning: Earning, now: string): string {
  const share = `${formatUsd(earning.gross)} less ${earning.feePercent}%`;
  const back = earning.givenBack > 0 && !earning.isReversed ? `${formatUsd(earning.givenBack)} given back` : '';
  const words = earning.note ? `“${isolated(earning.note)}”` : isolated(earning.detail);
  return [formatDayTime(earning.createdAt, now), words, share, back].filter(Boolean).join(' · ');
}

function wordOf({ isReversed, givenBack }: Earning): string {
  if (isReversed) return 'Reversed';
  return givenBack > 0 ? 'Partly reversed' : 'Received';
}

export function RecentEarnings({ now, moreHref }: { now: string; moreHref?: string }) {
  const { data } = useSuspenseQuery(recentQuery());
  useLive(earningReceived, (client, earning) => {
    client.setQueryData(
      recentQuery().queryKey,
      (page) => page && { ...page, data: withEarning(page.data, earning).slice(0, page.limit) },
    );
    forgetSums(client);
  });
  return (
    <section aria-labelledby="recent">
      <SectionHead id="recent" title="Recent tips and unlocks" end={moreHref && 'All of them'} href={moreHref} />
      {data.data.length === 0 ? (
        <EmptyState line="Nothing has come in yet." more="Tips and unlocks appear here the moment they are paid." />
      ) : (
        <Rows label="Recent tips and unlocks">
          {data.data.map((earning) => (
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
      )}
    </section>
  );
}
