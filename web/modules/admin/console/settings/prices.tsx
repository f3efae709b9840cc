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
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { DEPOSIT_BOUNDS, PRICE_BOUNDS, type PriceKind } from '@stagedoor/contract/shared/prices.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { apiInfiniteQuery, apiQuery, useApi } from '../../../../platform/query.ts';
import { ChangeList } from '../change-list.tsx';
import { useAdminAction } from '../use-admin-action.ts';
import { formatChanges, type NumberSetting, NumbersForm, useFormReset } from './numbers-form.tsx';
import * as texts from './texts.ts';

export const pricesQuery = () => apiQuery(getPriceLimits, {});
export const priceChangesQuery = () => apiInfiniteQuery(listFeeChanges, { query: { group: 'prices', limit: 10 } });

const KIND_NAMES: Readonly<Record<PriceKind, string>> = {
  tip: texts.tip,
  post: texts.paidPost,
  chatMedia: texts.paidMessage,
  callRate: texts.callPerMinute,
  addFunds: texts.deposit,
  subscription: texts.subscriptionPerMonth,
};
function formatHint(kind: PriceKind): string {
  if (kind === 'addFunds')
    return formatText(texts.depositRangeHint, { min: DEPOSIT_BOUNDS.min, max: DEPOSIT_BOUNDS.max });
  const hint = kind === 'subscription' ? texts.subscriptionRangeHint : texts.priceRangeHint;
  return formatText(hint, { min: formatUsd(PRICE_BOUNDS.min), max: formatUsd(PRICE_BOUNDS.max) });
}
const PRICE_SETTINGS: readonly NumberSetting<PriceName>[] = PRICE_KINDS.flatMap((kind) => {
  const hint = formatHint(kind);
  return [
    { name: `${kind}Min`, label: formatText(texts.minimumLabel, { name: KIND_NAMES[kind] }), hint, unit: '$' },
    { name: `${kind}Max`, label: formatText(texts.maximumLabel, { name: KIND_NAMES[kind] }), hint, unit: '$' },
  ] as const;
});
const { tip, post, chatMedia, callRate, addFunds, subscription } = priceLimits.shape;
const RULES = {
  ...{ tipMin: tip.shape.min, tipMax: tip.shape.max, postMin: post.shape.min, postMax: post.shape.max },
  ...{ chatMediaMin: chatMedia.shape.min, chatMediaMax: chatMedia.shape.max },
  ...{ callRateMin: callRate.shape.min, callRateMax: callRate.shape.max },
  ...{ addFundsMin: addFunds.shape.min, addFundsMax: addFunds.shape.max },
  ...{ subscriptionMin: subscription.shape.min, subscriptionMax: subscription.shape.max },
};

export function PricesForm() {
  const current = useApi(getPriceLimits, {});
  const { formKey, resetHandlers } = useFormReset();
  const save = useAdminAction(updatePriceLimits, {
    ...resetHandlers,
    invalidates: [getPriceLimits, listFeeChanges, listAuditEntries],
    successMessage: () => texts.priceLimitsSaved,
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
      label={texts.priceLimitHistory}
      entries={entries}
      formatEntry={formatEntry}
      onMore={query.hasNextPage ? () => void query.fetchNextPage() : undefined}
      busy={query.isFetchingNextPage}
    />
  );
}
