/** What a creator can have, what still waits, and what was paid out. */
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { creatorBalance } from '@stagedoor/contract/earnings.ts';
import { useApi } from '../../kernel/query.ts';
import { StatCard, Stats } from '../../ui/stat.tsx';

export function MoneyStats() {
  const { available, owed, pending, paid, reserved } = useApi(creatorBalance, {});
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
      <StatCard
        name="Paid"
        value={formatUsd(paid)}
        note={
          reserved > 0
            ? `${formatUsd(reserved)} more is asked for`
            : paid > 0
              ? 'Paid out to you'
              : 'Nothing paid out yet'
        }
      />
    </Stats>
  );
}
