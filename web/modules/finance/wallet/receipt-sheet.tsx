import type { TransactionReceipt } from '@stagedoor/contract/finance/wallet.ts';
import { formatUsd } from '@stagedoor/contract/shared/money.ts';
import { isolateText, isolateWithin } from '../../../platform/bidi.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { DefinitionList } from '../../../ui/definition-list.tsx';
import { formatMovement, toMovementLabel } from './money-labels.ts';
import * as texts from './texts.ts';

/** Keeps the server's order and inserts the balance before the last line, the receipt number. */
function toReceiptItems({ lines, balance }: TransactionReceipt) {
  const items = lines.map(({ label, value, at }) => ({
    name: label,
    value: at === undefined ? isolateText(value) : formatExactTime(at),
  }));
  return items.toSpliced(-1, 0, { name: texts.balanceAfter, value: formatUsd(balance) });
}

export function ReceiptSheet({ receipt }: { receipt: TransactionReceipt }) {
  return (
    <article aria-labelledby="receipt-title">
      <p className="text-small text-muted">{texts.receipt}</p>
      <h1 id="receipt-title" className="display d3 mt-1 wrap-anywhere">
        <bdi>{isolateWithin(receipt.title, receipt.otherUser?.name)}</bdi>
      </h1>
      <p className="num mt-6 flex items-baseline gap-3">
        <span className="display d2">{formatMovement(receipt)}</span>
        <span className="text-muted">{toMovementLabel(receipt)}</span>
      </p>
      <DefinitionList className="mt-6 [&_dd]:wrap-anywhere" items={toReceiptItems(receipt)} />
    </article>
  );
}
