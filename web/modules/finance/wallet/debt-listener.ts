import { debtChanged, holdExpired } from '@stagedoor/contract/finance/wallet.ts';
import type { PayloadOf } from '@stagedoor/contract/shared/event.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { showToast } from '../../../platform/feedback.ts';
import type { LiveListener } from '../../../platform/module.ts';
import { onEvent } from '../../../platform/socket-events.ts';
import * as texts from './texts.ts';

type DebtChange = PayloadOf<typeof debtChanged>;

export function formatDebtToast({ change, amount, owed, isBlocked }: DebtChange): string {
  const amountText = formatUsd(amount);
  switch (change) {
    case 'owed':
      return formatText(texts.paymentReversedToast, { owed: formatUsd(owed) });
    case 'repaid':
      return owed > 0
        ? formatText(texts.debtPartlyPaidToast, { amount: amountText, owed: formatUsd(owed) })
        : formatText(texts.debtPaidToast, { amount: amountText, ending: isBlocked ? '.' : texts.canSpendAgainEnding });
    case 'writtenOff':
      return formatText(texts.debtCanceledToast, { amount: amountText });
    case 'won':
      return formatText(texts.chargebackReversedToast, { amount: amountText });
    case 'notWon':
      return formatText(texts.chargebackReversalUndoneToast, {
        amount: amountText,
        debtNote: owed > 0 ? formatText(texts.youOweNote, { owed: formatUsd(owed) }) : '',
      });
    case 'blocked':
      return texts.spendingPausedToast;
    case 'unblocked':
      return texts.youCanSpendAgain;
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
      void showToast(formatText(texts.holdReleasedToast, { amount: formatUsd(amount) }));
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
};
