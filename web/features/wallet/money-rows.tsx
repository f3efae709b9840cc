import { callReceiptPath, depositReturnPath } from '@stagedoor/contract/addresses.ts';
import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import { DEPOSIT_STATE_LABELS, type Deposit } from '@stagedoor/contract/payments.ts';
import type { Transaction } from '@stagedoor/contract/wallet.ts';
import { isolatedIn } from '../../kernel/bidi.ts';
import { formatDayTime } from '../../kernel/dates.ts';
import type { IconName } from '../../ui/icon.tsx';
import { AmountRow, Rows } from '../../ui/rows.tsx';
import { CallRow } from './call-row.tsx';
import { amountText, amountWord, receiptHref } from './money-words.ts';

const TRANSACTION_ICONS: Readonly<Partial<Record<Transaction['type'], IconName>>> = {
  deposit: 'download',
  tip: 'tip',
  post: 'lock',
  chat: 'chat',
  call: 'phone',
  hold: 'clock',
  refund: 'undo',
  release: 'undo',
  chargeback: 'undo',
};
export function isOfCall(href: string): boolean {
  return href.startsWith(callReceiptPath('fan', ''));
}
const hrefOf = ({ id, href, type }: Transaction) =>
  type === 'call' && href !== null && isOfCall(href) ? href : receiptHref(id);

function byCall(transactions: readonly Transaction[]): Transaction[][] {
  const rows: Transaction[][] = [];
  const ofCalls = new Map<string, Transaction[]>();
  for (const each of transactions) {
    const known = each.call && ofCalls.get(each.call.id);
    if (known) known.push(each);
    else {
      const row = [each];
      rows.push(row);
      if (each.call) ofCalls.set(each.call.id, row);
    }
  }
  return rows;
}

/**
 * @param now An ISO timestamp.
 * @param hasCalls Whether a call is shown as one row that opens to its movements.
 */
export function TransactionRows({
  transactions,
  now,
  hasCalls = true,
}: {
  transactions: readonly Transaction[];
  now: string;
  hasCalls?: boolean;
}) {
  const rows = hasCalls ? byCall(transactions) : transactions.map((each) => [each]);
  return (
    <Rows label="Transactions" closed>
      {rows.map(([each, ...earlier]) =>
        each === undefined ? null : hasCalls && each.call ? (
          <CallRow key={each.call.id} call={each.call} movements={[each, ...earlier]} now={now} />
        ) : (
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
        ),
      )}
    </Rows>
  );
}

export function depositName({ credits, amount }: Pick<Deposit, 'credits' | 'amount'>): string {
  return credits === null ? `Deposit, ${formatUsd(amount)}` : `Deposit, ${credits} credits`;
}

function depositDetail(deposit: Deposit, now: string): string {
  const back = deposit.reversed > 0 ? `${formatUsd(deposit.reversed)} reversed` : undefined;
  const kept = deposit.kept > 0 ? `${formatUsd(deposit.kept)} used to pay your outstanding balance` : undefined;
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
