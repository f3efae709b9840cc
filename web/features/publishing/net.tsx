/** What of a price is the creator's, at the fee of today. */
import { asCents, formatCents, formatUsd, percentOf } from '@stagedoor/contract/atoms/money.ts';
import { creatorFees } from '@stagedoor/contract/earnings.ts';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Sum } from '../../ui/facts.tsx';

export const feesQuery = () => apiQuery(creatorFees, {});

export function Net({ price }: { price: number }) {
  const { effectiveFee } = useApi(creatorFees, {});
  const gross = asCents(Math.round(price * 100));
  const fee = percentOf(gross, effectiveFee);
  return (
    <Sum
      live
      lines={[
        { name: 'A fan pays', value: formatUsd(price) },
        { name: `Platform, ${effectiveFee}%`, value: formatCents(-fee) },
      ]}
      total={{ name: 'You get', value: formatCents(gross - fee) }}
    />
  );
}
