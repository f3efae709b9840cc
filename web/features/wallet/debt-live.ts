import type { PayloadOf } from '@stagedoor/contract/atoms/event.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { debtChanged, holdExpired } from '@stagedoor/contract/wallet.ts';
import { onEvent } from '../../kernel/live.ts';
import { showToast } from '../../kernel/outcome.ts';
import type { Listener } from '../../kernel/room.ts';

type Changed = PayloadOf<typeof debtChanged>;

export function changeWords({ change, amount, owed, isBlocked }: Changed): string {
  const sum = formatUsd(amount);
  switch (change) {
    case 'owed':
      return `A payment was reversed and you now owe ${formatUsd(owed)}. See your wallet to resolve it.`;
    case 'workedOff':
      return owed > 0
        ? `${sum} paid toward your outstanding balance. ${formatUsd(owed)} left.`
        : `${sum} paid. You no longer owe anything${isBlocked ? '.' : ' and can spend again.'}`;
    case 'writtenOff':
      return `Your ${sum} debt was canceled.`;
    case 'won':
      return `A chargeback was reversed and ${sum} is back in your balance.`;
    case 'notWon':
      return `A chargeback reversal was undone and ${sum} was removed from your balance.${owed > 0 ? ` You owe ${formatUsd(owed)}.` : ''}`;
    case 'blocked':
      return 'Spending is paused on your account. See your wallet for details.';
    case 'unblocked':
      return 'You can spend again.';
  }
}

export const debtLive: Listener = (client) => {
  const stops = [
    onEvent(debtChanged, (changed) => {
      void client.invalidateQueries({ queryKey: ['GET /customer/wallet'] });
      const isBad = ['owed', 'notWon', 'blocked'].includes(changed.change);
      void showToast(changeWords(changed), isBad ? 'warning' : 'info', { id: `debt:${changed.change}` });
    }),
    onEvent(holdExpired, ({ amount }) => {
      void showToast(`${formatUsd(amount)} on hold was released back to your balance.`);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
