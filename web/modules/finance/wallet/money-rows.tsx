import { DEPOSIT_STATE_LABELS, type Deposit } from '@stagedoor/contract/commerce/deposits.ts';
import type { WalletTransaction } from '@stagedoor/contract/finance/wallet.ts';
import { callReceiptPath, depositReturnPath } from '@stagedoor/contract/shared/addresses.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateWithin } from '../../../platform/bidi.ts';
import { formatDayTime } from '../../../platform/dates.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { AmountRow, Rows } from '../../../ui/rows.tsx';
import { CallRow } from './call-row.tsx';
import { formatMovement, toMovementLabel, toReceiptHref } from './money-labels.ts';
import * as texts from './texts.ts';

const TRANSACTION_ICONS: Readonly<Partial<Record<WalletTransaction['type'], IconName>>> = {
  deposit: 'download',
  tip: 'tip',
  post: 'lock',
  chat: 'chat',
  call: 'phone',
  subscription: 'key',
  hold: 'clock',
  refund: 'undo',
  release: 'undo',
  chargeback: 'undo',
};
export function isCallReceipt(href: string): boolean {
  return href.startsWith(callReceiptPath('fan', ''));
}
const toHref = ({ id, href, type }: WalletTransaction) =>
  type === 'call' && href !== null && isCallReceipt(href) ? href : toReceiptHref(id);

/** @param now An ISO timestamp. */
export function TransactionRows({ transactions, now }: { transactions: readonly WalletTransaction[]; now: string }) {
  return (
    <Rows label={texts.transactions} closed>
      {transactions.map((each) =>
        each.call ? (
          <CallRow key={each.id} call={each.call} transaction={each} now={now} />
        ) : (
          <AmountRow
            key={each.id}
            icon={TRANSACTION_ICONS[each.type] ?? 'wallet'}
            title={isolateWithin(each.title, each.otherUser?.name)}
            sub={[formatDayTime(each.createdAt, now), isolateWithin(each.detail, each.otherUser?.name)]
              .filter(Boolean)
              .join(' · ')}
            amount={formatMovement(each)}
            status={toMovementLabel(each)}
            href={toHref(each)}
          />
        ),
      )}
    </Rows>
  );
}

export function formatDepositName({
  credits,
  amount,
  isSubscription,
}: Pick<Deposit, 'credits' | 'amount' | 'isSubscription'>): string {
  if (isSubscription) return texts.subscriptionPayment;
  return credits === null
    ? formatText(texts.depositAmount, { amount: formatUsd(amount) })
    : formatText(texts.depositCredits, { count: credits });
}

function formatDepositDetail(deposit: Deposit, now: string): string {
  const reversedText =
    deposit.reversed > 0 ? formatText(texts.amountReversed, { amount: formatUsd(deposit.reversed) }) : undefined;
  const debtText =
    deposit.debtPaid > 0 ? formatText(texts.amountPaidDebt, { amount: formatUsd(deposit.debtPaid) }) : undefined;
  return [
    formatDayTime(deposit.updatedAt, now),
    reversedText ?? deposit.reason ?? deposit.card,
    reversedText ? deposit.reason : undefined,
    debtText,
  ]
    .filter(Boolean)
    .join(' · ');
}

export function DepositRows({ deposits, now }: { deposits: readonly Deposit[]; now: string }) {
  return (
    <Rows label={texts.deposits} closed>
      {deposits.map((deposit) => (
        <AmountRow
          key={deposit.id}
          icon={deposit.status === 'pending' ? 'clock' : deposit.status === 'failed' ? 'close' : 'download'}
          title={formatDepositName(deposit)}
          sub={formatDepositDetail(deposit, now)}
          // A sign means that the balance changed.
          amount={formatUsd(deposit.amount, { sign: deposit.status === 'success' })}
          status={DEPOSIT_STATE_LABELS[deposit.status]}
          void={deposit.status === 'failed' || deposit.reversed >= deposit.amount}
          href={depositReturnPath(deposit.id)}
        />
      ))}
    </Rows>
  );
}
