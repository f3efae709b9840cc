import type { AffiliateSide, AffiliateTotals } from '@stagedoor/contract/affiliates.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { useId } from 'react';
import { plural } from '../../kernel/dates.ts';
import { FactList } from '../../ui/facts.tsx';
import { SectionHead } from '../../ui/label.tsx';

function SideCard({ title, of, side }: { title: string; of: string; side: AffiliateSide }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={title} end={<span className="num text-muted">{side.pr}%</span>} />
      <p className="display d2 num mt-3">{formatUsd(side.totalEarnings)}</p>
      <p className="num text-small text-muted">
        Earned from {of} · {plural(side.userCount, 'person', 'people')}
      </p>
      <FactList
        className="mt-3"
        facts={[
          { name: 'Available', value: formatUsd(side.eligibleBalance) },
          { name: 'Pending', value: formatUsd(side.pending) },
          { name: 'Requested', value: formatUsd(side.requestedAmount) },
          { name: 'Claimed', value: formatUsd(side.totalClaimed) },
        ]}
      />
    </section>
  );
}

export function Sides({ totals: { creator, customer } }: { totals: AffiliateTotals }) {
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 md:grid-cols-2">
      <SideCard title="Creators" of="what they sell" side={creator} />
      <SideCard title="Fans" of="what they spend" side={customer} />
    </div>
  );
}
