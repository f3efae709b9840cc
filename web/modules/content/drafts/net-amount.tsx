import { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import { asCents, calculatePercent, formatCents, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { PriceSummary } from '../../../ui/definition-list.tsx';

export const feesQuery = () => apiQuery(getCreatorFees, {});

export function NetHint({ price }: { price: number }) {
  const { data: fees } = useQuery(feesQuery());
  if (!fees) return null;
  const gross = asCents(Math.round(price * 100));
  return (
    <>
      Fan pays {formatCents(gross)}, you earn{' '}
      <strong>{formatCents(gross - calculatePercent(gross, fees.effectiveFee))}</strong>.
    </>
  );
}

export function NetSummary({ price }: { price: number }) {
  const { effectiveFee } = useApi(getCreatorFees, {});
  const gross = asCents(Math.round(price * 100));
  const fee = calculatePercent(gross, effectiveFee);
  return (
    <PriceSummary
      live
      items={[
        { name: 'Fan pays', value: formatUsd(price) },
        { name: `Platform fee, ${effectiveFee}%`, value: formatCents(-fee) },
      ]}
      total={{ name: 'You earn', value: formatCents(gross - fee) }}
    />
  );
}
