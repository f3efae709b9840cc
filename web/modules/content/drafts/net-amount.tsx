import { getCreatorFees } from '@stagedoor/contract/finance/earnings.ts';
import { asCents, calculatePercent, formatCents, formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery, useApi } from '../../../platform/query.ts';
import { PriceSummary } from '../../../ui/definition-list.tsx';
import { formatNodes } from '../../../ui/format-nodes.ts';
import * as texts from './texts.ts';

export const feesQuery = () => apiQuery(getCreatorFees, {});

export function NetHint({ price }: { price: number }) {
  const { data: fees } = useQuery(feesQuery());
  if (!fees) return null;
  const gross = asCents(Math.round(price * 100));
  return (
    <>
      {formatNodes(texts.fanPaysYouEarn, {
        price: formatCents(gross),
        earnings: <strong>{formatCents(gross - calculatePercent(gross, fees.effectiveFee))}</strong>,
      })}
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
        { name: texts.fanPays, value: formatUsd(price) },
        { name: `Platform fee, ${effectiveFee}%`, value: formatCents(-fee) },
      ]}
      total={{ name: texts.youEarn, value: formatCents(gross - fee) }}
    />
  );
}
