import type { AffiliateSide, AffiliateTotals } from '@stagedoor/contract/finance/affiliates.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useId } from 'react';
import { formatCount } from '../../../platform/dates.ts';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { SectionHead } from '../../../ui/label.tsx';
import * as texts from './texts.ts';

function SideCard({ title, source, side }: { title: string; source: string; side: AffiliateSide }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <SectionHead id={id} title={title} end={<span className="num text-muted">{side.pr}%</span>} />
      <p className="display d2 num mt-3">{formatUsd(side.totalEarnings)}</p>
      <p className="num text-small text-muted">
        {formatText(texts.earnedFrom, { source, userCount: formatCount(side.userCount, 'person', 'people') })}
      </p>
      <DefinitionList
        className="mt-3"
        items={[
          { name: 'Available', value: formatUsd(side.eligibleBalance) },
          { name: 'Pending', value: formatUsd(side.pending) },
          { name: 'Requested', value: formatUsd(side.requestedAmount) },
          { name: 'Claimed', value: formatUsd(side.totalClaimed) },
        ]}
      />
    </section>
  );
}

export function AffiliateSides({ totals: { creator, customer } }: { totals: AffiliateTotals }) {
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 md:grid-cols-2">
      <SideCard title={texts.creators} source={texts.whatTheySell} side={creator} />
      <SideCard title={texts.fans} source={texts.whatTheySpend} side={customer} />
    </div>
  );
}
