import { formatUsd } from '@stagedoor/contract/atoms/money.ts';
import type { Receipt } from '@stagedoor/contract/wallet.ts';
import { isolated, isolatedIn } from '../../kernel/bidi.ts';
import { FactList } from '../../ui/facts.tsx';
import { amountText, amountWord } from './money-words.ts';

/** Keeps the server's order and inserts the balance before the last line, the receipt number. */
function factsOf({ lines, balance }: Receipt) {
  const facts = lines.map(({ label, value }) => ({ name: label, value: isolated(value) }));
  return facts.toSpliced(-1, 0, { name: 'Balance after', value: formatUsd(balance) });
}

export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  return (
    <article aria-labelledby="receipt-title">
      <p className="text-small text-muted">Receipt</p>
      <h1 id="receipt-title" className="display d3 mt-1 wrap-anywhere">
        <bdi>{isolatedIn(receipt.title, receipt.counterpart?.name)}</bdi>
      </h1>
      <p className="num mt-6 flex items-baseline gap-3">
        <span className="display d2">{amountText(receipt)}</span>
        <span className="text-muted">{amountWord(receipt)}</span>
      </p>
      <FactList className="mt-6 [&_dd]:wrap-anywhere" facts={factsOf(receipt)} />
    </article>
  );
}
