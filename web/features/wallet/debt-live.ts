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
      return `A payment was taken back: you owe ${formatUsd(owed)}. Spending is blocked; your wallet says what to do.`;
    case 'workedOff':
      return owed > 0
        ? `${sum} went to what you owe. ${formatUsd(owed)} is left.`
        : `${sum} went to what you owed. You owe nothing${isBlocked ? '.' : ' and can spend again.'}`;
    case 'writtenOff':
      return `You no longer owe ${sum}.`;
    case 'won':
      return `A chargeback was withdrawn: its ${sum} are yours again.`;
    case 'notWon':
      return `A chargeback was not withdrawn after all: its ${sum} are taken back again.${owed > 0 ? ` You owe ${formatUsd(owed)}.` : ''}`;
    case 'blocked':
      return 'Spending is blocked on your account. Your wallet says whom to ask.';
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
      void showToast(`${formatUsd(amount)} that was set aside is back in your balance, as its time was over.`);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
