import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { creatorBalance } from '@stagedoor/contract/earnings.ts';
import { useApi } from '../../kernel/query.ts';
import { StatCard, Stats } from '../../ui/stat.tsx';

function paidNote(paid: number, onTheWay: number, reserved: number): string {
  const more = [
    ...(onTheWay > 0 ? [`${formatUsd(onTheWay)} in transit`] : []),
    ...(reserved > 0 ? [`${formatUsd(reserved)} requested`] : []),
  ];
  if (more.length > 0) return more.join(', ');
  return paid > 0 ? 'Paid out' : 'Nothing paid out yet';
}

export function MoneyStats() {
  const { available, onTheWay, owed, pending, paid, reserved } = useApi(creatorBalance, {});
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
      <StatCard name="Paid" value={formatUsd(paid)} note={paidNote(paid, onTheWay, reserved)} />
    </Stats>
  );
}
