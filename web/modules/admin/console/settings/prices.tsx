import { type AuditEntry, listAuditEntries } from '@stagedoor/contract/admin/audit-log.ts';
import { listFeeChanges } from '@stagedoor/contract/admin/fees.ts';
import { getPriceLimits, updatePriceLimits } from '@stagedoor/contract/admin/price-limits.ts';
import {
  findPriceLimitsProblem,
  flattenPriceLimits,
  PRICE_KINDS,
  type PriceName,
  priceLimits,
  toPriceLimits,
} from '@stagedoor/contract/commerce/price-limits.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { DEPOSIT_BOUNDS, PRICE_BOUNDS, type PriceKind } from '@stagedoor/contract/shared/prices.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../../platform/query.ts';
import { ChangeList } from '../change-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatChanges, type NumberSetting, NumbersForm, useFormReset } from './numbers-form.tsx';

export const pricesQuery = () => apiQuery(getPriceLimits, {});
export const priceChangesQuery = () => apiInfiniteQuery(listFeeChanges, { query: { group: 'prices', limit: 10 } });

const KIND_NAMES: Readonly<Record<PriceKind, string>> = {
  tip: 'Tip',
  post: 'Paid post',
  chatMedia: 'Paid message',
  callRate: 'Call per minute',
  addFunds: 'Deposit',
};
const formatHint = (kind: PriceKind) =>
  kind === 'addFunds'
    ? `Whole dollars of balance, ${DEPOSIT_BOUNDS.min} to ${DEPOSIT_BOUNDS.max}`
    : `${formatUsd(PRICE_BOUNDS.min)} to ${formatUsd(PRICE_BOUNDS.max)}`;
const PRICE_SETTINGS: readonly NumberSetting<PriceName>[] = PRICE_KINDS.flatMap((kind) => {
  const hint = formatHint(kind);
  return [
    { name: `${kind}Min`, label: `${KIND_NAMES[kind]}, minimum`, hint, unit: '$' },
    { name: `${kind}Max`, label: `${KIND_NAMES[kind]}, maximum`, hint, unit: '$' },
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
  const current = useApi(getPriceLimits, {});
  const { formKey, resetHandlers } = useFormReset();
  const save = useAdminAction(updatePriceLimits, {
    ...resetHandlers,
    invalidates: [getPriceLimits, listFeeChanges, listAuditEntries],
    successMessage: () => 'Saved. The limits apply to new prices only.',
  });
  return (
    <NumbersForm
      key={formKey}
      settings={PRICE_SETTINGS}
      rules={RULES}
      current={flattenPriceLimits(current)}
      isAllowed={save.isAllowed}
      busy={save.isPending}
      error={save.error}
      findProblem={(to) => {
        const problem = findPriceLimitsProblem(toPriceLimits(to));
        return problem && { field: `${problem.kind}Max`, message: problem.message };
      }}
      onSave={({ from, to, reason }) =>
        save.send({ body: { from: toPriceLimits(from), to: toPriceLimits(to), reason } })
      }
    />
  );
}

const formatEntry = ({ details }: AuditEntry) => formatChanges(PRICE_SETTINGS, details);

export function PricesHistory() {
  const query = useInfiniteQuery(priceChangesQuery());
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <ChangeList
      label="Price limit history"
      entries={entries}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
