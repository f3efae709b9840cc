import { getCreatorBalance } from '@stagedoor/contract/finance/earnings.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useApi } from '../../../platform/query.ts';
import { StatCard, Stats } from '../../../ui/stat.tsx';

function formatPaidNote(paid: number, inTransit: number, reserved: number): string {
  const parts = [
    ...(inTransit > 0 ? [`${formatUsd(inTransit)} in transit`] : []),
    ...(reserved > 0 ? [`${formatUsd(reserved)} requested`] : []),
  ];
  if (parts.length > 0) return parts.join(', ');
  return paid > 0 ? 'Paid out' : 'Nothing paid out yet';
}

export function MoneyStats() {
  const { available, inTransit, owed, pending, paid, reserved } = useApi(getCreatorBalance, {});
  return (
    <Stats label="Balances">
      <StatCard
        name="Available"
        value={formatUsd(available)}
        note={
          owed > 0 ? `${formatUsd(owed)} in refunds will be deducted from your next earnings` : 'Available to pay out'
        }
      />
      <StatCard
        name="Pending"
        value={formatUsd(pending)}
        note={pending > 0 ? 'Clears automatically' : 'Nothing pending'}
      />
      <StatCard name="Paid" value={formatUsd(paid)} note={formatPaidNote(paid, inTransit, reserved)} />
    </Stats>
  );
}
