import { getCreatorHighlights } from '@stagedoor/contract/finance/earnings.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { isolateText } from '../../../platform/bidi.ts';
import { formatCount } from '../../../platform/dates.ts';
import { apiQuery } from '../../../platform/query.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import { AmountRow, Rows } from '../../../ui/rows.tsx';

export const highlightsQuery = () => apiQuery(getCreatorHighlights, {});

export function BestSellers() {
  const highlights = useQuery(highlightsQuery()).data;
  if (!highlights) return null;
  const { saleCount, bestPosts, bestFans } = highlights;
  const saleCountText = `Last ${formatCount(saleCount, 'sale')}`;
  return (
    <>
      {bestPosts.length > 0 && (
        <section aria-labelledby="best-posts">
          <SectionHead id="best-posts" title="Top posts" end={saleCountText} />
          <Rows label="Top posts">
            {bestPosts.map(({ href, title, count, earned }) => (
              <AmountRow
                key={href}
                icon="image"
                title={title}
                sub={formatCount(count, 'sale')}
                amount={formatUsd(earned)}
                status="You earn"
                href={href}
              />
            ))}
          </Rows>
        </section>
      )}
      {bestFans.length > 0 && (
        <section aria-labelledby="best-fans">
          <SectionHead id="best-fans" title="Top fans" end={saleCountText} />
          <Rows label="Top fans">
            {bestFans.map(({ id, name, avatarUrl, count, paid }) => (
              <AmountRow
                key={id}
                lead={<Avatar name={name} src={avatarUrl} />}
                title={isolateText(name)}
                sub={formatCount(count, 'sale')}
                amount={formatUsd(paid)}
                status="Paid"
              />
            ))}
          </Rows>
        </section>
      )}
    </>
  );
}
