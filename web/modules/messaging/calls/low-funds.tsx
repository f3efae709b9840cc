/** The low-balance warning in the app shell (row F6). */
import { getWallet } from '@stagedoor/contract/finance/wallet.ts';
import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { addFundsHref } from '../../../platform/address.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { apiQuery } from '../../../platform/query.ts';
import { useViewer } from '../../../platform/session.ts';
import { UiLink } from '../../../ui/link.tsx';
import * as texts from './texts.ts';

type Deposit = Pick<Viewer, 'deposit' | 'depositRevision'>;

/** Whether less is available than `minUsd`, the lowest possible post price, after the wallet has received a deposit. */
function isAvailableLow({ deposit, depositRevision }: Deposit, minUsd: number): boolean {
  return depositRevision > 0 && deposit < minUsd;
}

/**
 * What is missing from the available money, in USD, while the balance is low. The balance is what is available and what is
 * held, so that a call which holds the money does not count as a low balance.
 */
export function findMissingFunds(viewer: Deposit, heldUsd: number, minUsd: number): number | undefined {
  if (!isAvailableLow(viewer, minUsd) || viewer.deposit + heldUsd >= minUsd) return undefined;
  return minUsd - viewer.deposit;
}

export function LowFundsLink() {
  const minUsd = usePriceLimit('post').min;
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  // Every change of the balance invalidates the wallet.
  const wallet = useQuery({ ...apiQuery(getWallet, {}), enabled: viewer !== null && isAvailableLow(viewer, minUsd) });
  const missingUsd = viewer && wallet.data && findMissingFunds(viewer, wallet.data.held, minUsd);
  if (!missingUsd) return null;
  return (
    <UiLink href={addFundsHref(missingUsd, pathname + search)}>
      <span className="lamp lamp--busy">{texts.lowBalance}</span>
      <span className="sr-only"> {texts.lowBalanceSuffix}</span>
    </UiLink>
  );
}
