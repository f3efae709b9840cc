/** The low-balance warning in the app shell (row F6). */
import type { Viewer } from '@stagedoor/contract/identity/accounts.ts';
import { useLocation } from 'react-router';
import { addFundsHref } from '../../../platform/address.ts';
import { usePriceLimit } from '../../../platform/price-limits.ts';
import { useViewer } from '../../../platform/session.ts';
import { UiLink } from '../../../ui/link.tsx';
import * as texts from './texts.ts';

/**
 * True when the deposit is below `minUsd`, the lowest possible post price, and the wallet has received a deposit before.
 * Money reserved by a running call is not part of the deposit, so this warning appears before the one of the call.
 */
export function isBalanceLow(
  { deposit, depositRevision }: Pick<Viewer, 'deposit' | 'depositRevision'>,
  minUsd: number,
): boolean {
  return depositRevision > 0 && deposit < minUsd;
}

export function LowFundsLink() {
  const minUsd = usePriceLimit('post').min;
  const viewer = useViewer();
  const { pathname, search } = useLocation();
  if (!viewer || !isBalanceLow(viewer, minUsd)) return null;
  return (
    <UiLink href={addFundsHref(minUsd - viewer.deposit, pathname + search)}>
      <span className="lamp lamp--busy">{texts.lowBalance}</span>
      <span className="sr-only"> {texts.lowBalanceSuffix}</span>
    </UiLink>
  );
}
