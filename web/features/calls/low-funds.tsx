/** The fan's widget (row F6) in the shell: that the balance pays for nothing more, and the way to more of it. */
import type { Viewer } from '@stagedoor/contract/accounts.ts';
import { useLocation } from 'react-router';
import { addFundsHref } from '../../kernel/address.ts';
import { usePriceLimit } from '../../kernel/price-limits.ts';
import { useViewer } from '../../kernel/session.ts';
import { UiLink } from '../../ui/link.tsx';

/**
 * Less than `least`, what a post costs at least, of a wallet that something was once paid into: who has just come is not short of
 * anything. What a running call has set aside is not counted: this says so before the call does.
 */
export function isLow(
  { deposit, depositRevision }: Pick<Viewer, 'deposit' | 'depositRevision'>,
  least: number,
): boolean {
  return depositRevision > 0 && deposit < least;
}

export function LowFunds() {
  const least = usePriceLimit('post').min;
  const viewer = useViewer();
  const { pathname } = useLocation();
  if (!viewer || !isLow(viewer, least)) return null;
  return (
    <UiLink href={addFundsHref(undefined, pathname)}>
      <span className="lamp lamp--busy">Low</span>
      <span className="sr-only"> funds: add more</span>
    </UiLink>
  );
}
