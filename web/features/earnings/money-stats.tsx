import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { creatorBalance } from '@stagedoor/contract/earnings.ts';
import { useApi } from '../../kernel/query.ts';
import { StatCard, Stats } from '../../ui/stat.tsx';

function paidNote(paid: number, onTheWay: number, reserved: number): string {
  const more = [
    ...(onTheWay > 0 ? [`${formatUsd(onTheWay)} on its way`] : []),
    ...(reserved > 0 ? [`${formatUsd(reserved)} asked for`] : []),
  ];
  if (more.length > 0) return more.join(', ');
  return paid > 0 ? 'Arrived with you' : 'Nothing paid out yet';
}

export function MoneyStats() {
  const { available, onTheWay, owed, pending, paid, reserved } = useApi(creatorBalance, {});
  return (
    <Stats label="Balances">
      <StatCard
        name="Available"
        value={formatUsd(available)}
        note={owed > 0 ? `${formatUsd(owed)} owed for refunds comes off what clears next` : 'Cleared, and yours'}
      />
      <StatCard
        name="Pending"
        value={formatUsd(pending)}
        note={pending > 0 ? 'Clears by itself, day by day' : 'Nothing to clear'}
      />
      <StatCard name="Paid" value={formatUsd(paid)} note={paidNote(paid, onTheWay, reserved)} />
    </Stats>
  );
}
