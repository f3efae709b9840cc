/** Movements of the balance and deposits, as rows: what it was, when, and the signed amount with its word. */

import { callReceiptPath, depositReturnPath, receiptPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { DEPOSIT_STATE_LABELS, type Deposit } from '@stagedoor/contract/payments.ts';
import type { Transaction } from '@stagedoor/contract/wallet.ts';
import { isolatedIn } from '../../kernel/bidi.ts';
import { formatDayTime } from '../../kernel/dates.ts';
import type { IconName } from '../../ui/icon.tsx';
import { AmountRow, Rows } from '../../ui/rows.tsx';

/** Types without one of their own have that of money. */
const TRANSACTION_ICONS: Readonly<Partial<Record<Transaction['type'], IconName>>> = {
  deposit: 'download',
  tip: 'tip',
  post: 'lock',
  chat: 'chat',
  refund: 'undo',
  release: 'undo',
  chargeback: 'undo',
};
export const receiptHref = (id: string) => receiptPath(id);

type Moved = Pick<Transaction, 'amount' | 'owed'> & { type?: Transaction['type'] };

/** What the sign means. */
export function amountWord({ amount, owed, type }: Moved): 'Paid' | 'Received' | 'Free' | 'Owed' | 'Settled' {
  if (type === 'debt') return owed > 0 ? 'Owed' : 'Settled';
  if (amount === 0) return 'Free';
  return amount < 0 ? 'Paid' : 'Received';
}

/** The sum of a movement: with its sign, or of what went from the balance to what is owed, which has none. */
export function amountText({ amount, owed }: Moved): string {
  return amount === 0 && owed !== 0 ? formatUsd(Math.abs(owed)) : formatUsd(amount, { sign: true });
}

/** A call has a receipt of its own: from second to second. */
export function isOfCall(href: string): boolean {
  return href.startsWith(callReceiptPath('fan', ''));
}
const hrefOf = ({ id, href, type }: Transaction) =>
  type === 'call' && href !== null && isOfCall(href) ? href : receiptHref(id);

/** `now` in ISO form. */
export function TransactionRows({ transactions, now }: { transactions: readonly Transaction[]; now: string }) {
  return (
    <Rows label="Transactions" closed>
      {transactions.map((each) => (
        <AmountRow
          key={each.id}
          icon={TRANSACTION_ICONS[each.type] ?? 'wallet'}
          title={isolatedIn(each.title, each.counterpart?.name)}
          sub={[formatDayTime(each.createdAt, now), isolatedIn(each.detail, each.counterpart?.name)]
            .filter(Boolean)
            .join(' · ')}
          amount={amountText(each)}
          word={amountWord(each)}
          href={hrefOf(each)}
        />
      ))}
    </Rows>
  );
}

export function depositName({ credits, amount }: Pick<Deposit, 'credits' | 'amount'>): string {
  return credits === null ? `Deposit, ${formatUsd(amount)}` : `Deposit, ${credits} credits`;
}

/** Where it came from or why it did not: as much as is known, in one line. */
function depositDetail(deposit: Deposit, now: string): string {
  const back = deposit.reversed > 0 ? `${formatUsd(deposit.reversed)} taken back` : undefined;
  const kept = deposit.kept > 0 ? `${formatUsd(deposit.kept)} kept for what you owed` : undefined;
  return [
    formatDayTime(deposit.updatedAt, now),
    back ?? deposit.reason ?? deposit.card,
    back ? deposit.reason : undefined,
    kept,
  ]
    .filter(Boolean)
    .join(' · ');
}

export function DepositRows({ deposits, now }: { deposits: readonly Deposit[]; now: string }) {
  return (
    <Rows label="Deposits" closed>
      {deposits.map((deposit) => (
        <AmountRow
          key={deposit.id}
          icon={deposit.status === 'pending' ? 'clock' : deposit.status === 'failed' ? 'close' : 'download'}
          title={depositName(deposit)}
          sub={depositDetail(deposit, now)}
          amount={formatUsd(deposit.amount, { sign: true })}
          word={DEPOSIT_STATE_LABELS[deposit.status]}
          void={deposit.status === 'failed' || deposit.reversed >= deposit.amount}
          href={depositReturnPath(deposit.id)}
        />
      ))}
    </Rows>
  );
}
