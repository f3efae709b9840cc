import { getCreatorBalance } from '@stagedoor/contract/finance/earnings.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { useApi } from '../../../platform/query.ts';
import { StatCard, Stats } from '../../../ui/stat.tsx';
import * as texts from './texts.ts';

function formatPaidNote(paid: number, inTransit: number, reserved: number): string {
  const parts = [
    ...(inTransit > 0 ? [formatText(texts.payoutInTransit, { amount: formatUsd(inTransit) })] : []),
    ...(reserved > 0 ? [formatText(texts.payoutRequested, { amount: formatUsd(reserved) })] : []),
  ];
  if (parts.length > 0) return parts.join(', ');
  return paid > 0 ? texts.paidOut : texts.nothingPaidOutYet;
}

export function MoneyStats() {
  const { available, inTransit, owed, pending, paid, reserved } = useApi(getCreatorBalance, {});
  return (
    <Stats label={texts.balances}>
      <StatCard
        name="Available"
        value={formatUsd(available)}
        note={owed > 0 ? formatText(texts.refundsOwed, { amount: formatUsd(owed) }) : texts.availableToPayOut}
      />
      <StatCard
        name="Pending"
        value={formatUsd(pending)}
        note={pending > 0 ? texts.clearsAutomatically : texts.nothingPending}
      />
      <StatCard name="Paid" value={formatUsd(paid)} note={formatPaidNote(paid, inTransit, reserved)} />
    </Stats>
  );
}
