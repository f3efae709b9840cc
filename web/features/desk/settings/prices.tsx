import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { DEPOSIT_BOUNDS, PRICE_BOUNDS, type PriceKind } from '@stagedoor/contract/atoms/prices.ts';
import { type AuditEntry, listAudit } from '@stagedoor/contract/audit.ts';
import { listFeeChanges } from '@stagedoor/contract/fees-desk.ts';
import {
  flatPrices,
  PRICE_KINDS,
  type PriceName,
  priceLimits,
  pricesOf,
  pricesProblem,
  readPriceLimits,
  setPriceLimits,
} from '@stagedoor/contract/price-limits.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../kernel/query.ts';
import { useDeskAct } from '../acts.ts';
import { Changes } from '../changes.tsx';
import { changeWords, NumbersForm, type Setting, useAnew } from './draft.tsx';

export const pricesQuery = () => apiQuery(readPriceLimits, {});
export const priceChangesQuery = () => apiInfiniteQuery(listFeeChanges, { query: { of: 'prices', limit: 10 } });

const NAMES: Readonly<Record<PriceKind, string>> = {
  tip: 'Tip',
  post: 'Paid post',
  chatMedia: 'Paid message',
  callRate: 'Call per minute',
  addFunds: 'Deposit',
};
const hintOf = (kind: PriceKind) =>
  kind === 'addFunds'
    ? `Whole dollars of balance, ${DEPOSIT_BOUNDS.min} to ${DEPOSIT_BOUNDS.max}`
    : `${formatUsd(PRICE_BOUNDS.min)} to ${formatUsd(PRICE_BOUNDS.max)}`;
const PRICES: readonly Setting<PriceName>[] = PRICE_KINDS.flatMap((kind) => {
  const hint = hintOf(kind);
  return [
    { name: `${kind}Min`, label: `${NAMES[kind]}, minimum`, hint, unit: '$' },
    { name: `${kind}Max`, label: `${NAMES[kind]}, maximum`, hint, unit: '$' },
  ] as const;
});
const { tip, post, chatMedia, callRate, addFunds } = priceLimits.shape;
const RULES = {
  ...{ tipMin: tip.shape.min, tipMax: tip.shape.max, postMin: post.shape.min, postMax: post.shape.max },
  ...{ chatMediaMin: chatMedia.shape.min, chatMediaMax: chatMedia.shape.max },
  ...{ callRateMin: callRate.shape.min, callRateMax: callRate.shape.max },
  ...{ addFundsMin: addFunds.shape.min, addFundsMax: addFunds.shape.max },
};

export function PricesForm() {
  const current = useApi(readPriceLimits, {});
  const { round, anew } = useAnew();
  const save = useDeskAct(setPriceLimits, {
    ...anew,
    forget: [readPriceLimits, listFeeChanges, listAudit],
    done: () => 'Saved. The limits apply to new prices only.',
  });
  return (
    <NumbersForm
      key={round}
      settings={PRICES}
      rules={RULES}
      current={flatPrices(current)}
      may={save.may}
      busy={save.isPending}
      error={save.error}
      problemOf={(to) => {
        const problem = pricesProblem(pricesOf(to));
        return problem && { field: `${problem.kind}Max`, message: problem.message };
      }}
      onSave={({ from, to, ground }) => save.send({ body: { from: pricesOf(from), to: pricesOf(to), ground } })}
    />
  );
}

const wordsOf = ({ facts }: AuditEntry) => changeWords(PRICES, facts);

export function PricesHistory() {
  const query = useInfiniteQuery(priceChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Changes
      label="Price limit history"
      entries={entries}
      wordsOf={wordsOf}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
