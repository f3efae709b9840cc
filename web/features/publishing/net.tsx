import { asCents, formatCents, formatUsd, percentOf } from '@stagedoor/contract/atoms/money.ts';
import { creatorFees } from '@stagedoor/contract/earnings.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery, useApi } from '../../kernel/query.ts';
import { Sum } from '../../ui/facts.tsx';

export const feesQuery = () => apiQuery(creatorFees, {});

export function YouGet({ price }: { price: number }) {
  const { data: fees } = useQuery(feesQuery());
  if (!fees) return null;
  const gross = asCents(Math.round(price * 100));
  return (
    <>
      Fan pays {formatCents(gross)}, you earn{' '}
      <strong>{formatCents(gross - percentOf(gross, fees.effectiveFee))}</strong>.
    </>
  );
}

export function Net({ price }: { price: number }) {
  const { effectiveFee } = useApi(creatorFees, {});
  const gross = asCents(Math.round(price * 100));
  const fee = percentOf(gross, effectiveFee);
  return (
    <Sum
      live
      lines={[
        { name: 'Fan pays', value: formatUsd(price) },
        { name: `Platform fee, ${effectiveFee}%`, value: formatCents(-fee) },
      ]}
      total={{ name: 'You earn', value: formatCents(gross - fee) }}
    />
  );
}
