import { debtChanged, holdExpired } from '@stagedoor/contract/finance/wallet.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { showToast } from '../../../platform/feedback.ts';
import type { LiveListener } from '../../../platform/module.ts';
import { onEvent } from '../../../platform/socket-events.ts';

type DebtChange = PayloadOf<typeof debtChanged>;

export function formatDebtToast({ change, amount, owed, isBlocked }: DebtChange): string {
  const amountText = formatUsd(amount);
  switch (change) {
    case 'owed':
      return `A payment was reversed and you now owe ${formatUsd(owed)}. See your wallet to resolve it.`;
    case 'repaid':
      return owed > 0
        ? `${amountText} paid toward your outstanding balance. ${formatUsd(owed)} left.`
        : `${amountText} paid. You no longer owe anything${isBlocked ? '.' : ' and can spend again.'}`;
    case 'writtenOff':
      return `Your ${amountText} debt was canceled.`;
    case 'won':
      return `A chargeback was reversed and ${amountText} is back in your balance.`;
    case 'notWon':
      return `A chargeback reversal was undone and ${amountText} was removed from your balance.${owed > 0 ? ` You owe ${formatUsd(owed)}.` : ''}`;
    case 'blocked':
      return 'Spending is paused on your account. See your wallet for details.';
    case 'unblocked':
      return 'You can spend again.';
  }
}

export const listenForDebts: LiveListener = (client) => {
  const stops = [
    onEvent(debtChanged, (changed) => {
      void client.invalidateQueries({ queryKey: ['GET /customer/wallet'] });
      const isWarning = ['owed', 'notWon', 'blocked'].includes(changed.change);
      void showToast(formatDebtToast(changed), isWarning ? 'warning' : 'info', { id: `debt:${changed.change}` });
    }),
    onEvent(holdExpired, ({ amount }) => {
      void showToast(`${formatUsd(amount)} on hold was released back to your balance.`);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
