import { getCreatorHighlights } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCount } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { AmountRow, Rows } from '../../../ui/rows.tsx';
import * as texts from './texts.ts';

export const highlightsQuery = () => apiQuery(getCreatorHighlights, {});

export function BestSellers() {
  const highlights = useQuery(highlightsQuery()).data;
  if (!highlights) return null;
  const { saleCount, bestPosts, bestFans } = highlights;
  const saleCountText = formatText(texts.lastSales, { saleCount: formatCount(saleCount, 'sale') });
  return (
    <>
      {bestPosts.length > 0 && (
        <section aria-labelledby="best-posts">
          <SectionHead id="best-posts" title={texts.topPosts} end={saleCountText} />
          <Rows label={texts.topPosts}>
            {bestPosts.map(({ href, title, count, earned }) => (
              <AmountRow
                key={href}
                icon="image"
                title={title}
                sub={formatCount(count, 'sale')}
                amount={formatUsd(earned)}
                status={texts.youEarn}
                href={href}
              />
            ))}
          </Rows>
        </section>
      )}
      {bestFans.length > 0 && (
        <section aria-labelledby="best-fans">
          <SectionHead id="best-fans" title={texts.topFans} end={saleCountText} />
          <Rows label={texts.topFans}>
            {bestFans.map(({ id, name, avatarUrl, count, paid }) => (
              <AmountRow
                key={id}
                lead={<Avatar name={name} src={avatarUrl} />}
                title={isolateText(name)}
                sub={formatCount(count, 'sale')}
                amount={formatUsd(paid)}
                status={texts.paid}
              />
            ))}
          </Rows>
        </section>
      )}
    </>
  );
}
