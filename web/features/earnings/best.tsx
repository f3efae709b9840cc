import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { creatorHighlights } from '@stagedoor/contract/earnings.ts';
import { useQuery } from '@tanstack/react-query';
import { isolated } from '../../kernel/bidi.ts';
import { plural } from '../../kernel/dates.ts';
import { apiQuery } from '../../kernel/query.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { SectionHead } from '../../ui/label.tsx';
import { AmountRow, Rows } from '../../ui/rows.tsx';

export const bestQuery = () => apiQuery(creatorHighlights, {});

export function Best() {
  const best = useQuery(bestQuery()).data;
  if (!best) return null;
  const { bestOf, bestPosts, bestFans } = best;
  const among = `Last ${plural(bestOf, 'sale')}`;
  return (
    <>
      {bestPosts.length > 0 && (
        <section aria-labelledby="best-posts">
          <SectionHead id="best-posts" title="Top posts" end={among} />
          <Rows label="Top posts">
            {bestPosts.map(({ href, title, count, earned }) => (
              <AmountRow
                key={href}
                icon="image"
                title={title}
                sub={plural(count, 'sale')}
                amount={formatUsd(earned)}
                word="You earn"
                href={href}
              />
            ))}
          </Rows>
        </section>
      )}
      {bestFans.length > 0 && (
        <section aria-labelledby="best-fans">
          <SectionHead id="best-fans" title="Top fans" end={among} />
          <Rows label="Top fans">
            {bestFans.map(({ id, name, avatarUrl, count, paid }) => (
              <AmountRow
                key={id}
                lead={<Avatar name={name} src={avatarUrl} />}
                title={isolated(name)}
                sub={plural(count, 'sale')}
                amount={formatUsd(paid)}
                word="Paid"
              />
            ))}
          </Rows>
        </section>
      )}
    </>
  );
}
