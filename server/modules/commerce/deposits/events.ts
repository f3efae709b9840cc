import type { DbTransaction } from '../../../platform/database/db.ts';
import type { EventPayload } from '../../../platform/events/event-types.ts';
import { lockWallet, type WalletBalance } from '../../ledger/ledger/index.ts';
import type { DepositRow } from './store.ts';

declare module '../../../platform/events/event-types.ts' {
  interface EventMap {
    /**
     * A deposit was paid, failed, expired, reversed or restored after a won chargeback. `balanceCents` is the
     * fan’s balance after the change, which is line `balanceLine` of the statement.
     */
    'deposit.changed': {
      depositId: string;
      fanId: string;
      status: 'pending' | 'success' | 'failed';
      change: 'paid' | 'failed' | 'expired' | 'reversed' | 'won';
      balanceCents: number;
      balanceLine?: number;
      transactionId: string | null;
      /** For a card payment of a subscription, which spends the money immediately. */
      isSubscription?: boolean;
    };
    'payment.refunded': { fanId: string; webhookId: string; cents: number };
    'processor.received': { webhookId: string };
    'recurringPayment.cancelRequested': { paymentId: string };
  }
}

export async function emitDepositChanged(
  tx: DbTransaction,
  deposit: Pick<DepositRow, 'id' | 'fan_id' | 'recurring_payment_id'>,
  change: EventPayload<'deposit.changed'>['change'],
  moved: (WalletBalance & { transactionId: string }) | undefined,
): Promise<void> {
  // Locks the wallet until the commit, so that events of later movements are emitted after this one.
  const { balanceCents, balanceLine } = moved ?? (await lockWallet(tx, deposit.fan_id));
  await tx.emit('deposit.changed', {
    depositId: deposit.id,
    fanId: deposit.fan_id,
    status: change === 'failed' || change === 'expired' ? 'failed' : 'success',
    change,
    balanceCents,
    balanceLine,
    transactionId: moved?.transactionId ?? null,
    ...(deposit.recurring_payment_id !== null && { isSubscription: true }),
  });
}
