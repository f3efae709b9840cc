/**
 * What can be spent is the lower of the balance and what the spending limits leave. A deposit is offered only where it helps:
 * when a limit refuses the price, the limit is named instead.
 */

import { formatLimitName } from '@stagedoor/contract/commerce/limit-periods.ts';
import type { SpendingBound } from '@stagedoor/contract/commerce/spending-bounds.ts';
import type { SpendingControls } from '@stagedoor/contract/commerce/spending-limits.ts';
import { SPENDING_LIMITS_PATH } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { UiLink } from '../ui/link.tsx';
import { callApi } from './api.ts';
import { ApiError } from './api-error.ts';
import { getTransport } from './query.ts';
import { useLeavingLinkProps } from './running-call.ts';
import { useViewer } from './session.ts';
import * as texts from './texts.ts';

const toCents = (usd: number) => Math.round(usd * 100);

/** Undefined if there is no limit. */
export function findSpendingBound({ limits, breakUntil }: SpendingControls): SpendingBound | undefined {
  if (breakUntil !== null) return { kind: 'break', left: 0 };
  return limits
    .flatMap(({ period, limit, max, spent }): SpendingBound[] => {
      const amounts = [limit, max].filter((amount) => amount !== null);
      if (amounts.length === 0) return [];
      return [{ kind: period, left: Math.max(0, toCents(Math.min(...amounts)) - toCents(spent)) / 100 }];
    })
    .toSorted((a, b) => a.left - b.left)[0];
}

/** The route, which is loaded only when it is needed, has this key. */
export const LIMITS_KEY = ['GET /customer/spending-limits', {}, {}] as const;
const limitsQuery = queryOptions({
  queryKey: LIMITS_KEY,
  queryFn: async ({ client }): Promise<SpendingControls> => {
    const { getSpendingLimits } = await import('@stagedoor/contract/commerce/spending-limits.ts');
    return callApi(getTransport(client), getSpendingLimits, {});
  },
});

/** Loads the fan's limits while `isNeeded`, again after every change of the balance. */
export function useSpendingBound(isNeeded: boolean): SpendingBound | undefined {
  const client = useQueryClient();
  const revision = useViewer()?.depositRevision;
  const { data } = useQuery({ ...limitsQuery, enabled: isNeeded });
  useEffect(() => {
    if (isNeeded && revision !== undefined)
      void client.invalidateQueries({ queryKey: LIMITS_KEY }, { cancelRefetch: false });
  }, [client, isNeeded, revision]);
  return data && isNeeded ? findSpendingBound(data) : undefined;
}

/** What prevents a payment: the limit before the balance, because a deposit does not raise a limit. */
export function findFundsObstacle(
  priceUsd: number,
  balanceUsd: number,
  bound: SpendingBound | null | undefined,
): 'limit' | 'balance' | undefined {
  if (bound && toCents(priceUsd) > toCents(bound.left)) return 'limit';
  return toCents(priceUsd) > toCents(balanceUsd) ? 'balance' : undefined;
}

/** The obstacle of a purchase, from what the page knows and from the refusal of the last attempt. */
export function usePurchaseObstacle(priceUsd: number, balanceUsd: number, error: Error | null) {
  const code = error instanceof ApiError ? error.code : undefined;
  const isRefused = code === 'INSUFFICIENT_FUNDS' || code === 'FORBIDDEN';
  const bound = useSpendingBound(isRefused || findFundsObstacle(priceUsd, balanceUsd, undefined) !== undefined);
  const known = findFundsObstacle(priceUsd, balanceUsd, bound);
  return { bound, obstacle: known ?? (code === 'INSUFFICIENT_FUNDS' ? ('balance' as const) : undefined) };
}

export function formatSpendingBound({ kind, left }: SpendingBound): string {
  return kind === 'break'
    ? texts.spendingIsPaused
    : formatText(texts.spendingLimitLeaves, { limitName: formatLimitName(kind), amount: formatUsd(left) });
}

/** Names the limit and links to the page where it can be changed. */
export function SpendingBoundNote({ bound }: { bound: SpendingBound }) {
  return (
    <p role="status" className="num whitespace-normal! pt-2 text-small">
      {formatSpendingBound(bound)}
      <UiLink
        href={SPENDING_LIMITS_PATH}
        className="block w-fit py-3 underline underline-offset-4"
        {...useLeavingLinkProps()}
      >
        {texts.spendingLimits}
      </UiLink>
    </p>
  );
}
