import { formatCents } from '@stagedoor/contract/atoms/money.ts';
import { ledgerTransactionPath } from '@stagedoor/contract/desk-addresses.ts';
import { readLedgerTransaction } from '@stagedoor/contract/ledger-desk.ts';
import type { DeskSale } from '@stagedoor/contract/money-act-view.ts';
import { formatExact } from '../../kernel/dates.ts';
import { useMay } from '../../kernel/operator.ts';
import { UiLink } from '../../ui/link.tsx';

const usd = (amount: number) => formatCents(Math.round(amount * 100));

export function SaleLines({ sales, label }: { sales: readonly (DeskSale & { isOfThing?: boolean })[]; label: string }) {
  const mayOpen = useMay(readLedgerTransaction);
  return (
    <ul className="lines" aria-label={label}>
      {sales.map(({ id, at, title, buyer, creator, amount, givenBack, isOfThing = false }) => (
        <li key={id} className="grid gap-1 py-3 text-small">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">
              {title}
              {isOfThing && <span className="font-normal text-muted">, this item</span>}
            </span>
            <span className="num">{usd(amount)}</span>
          </p>
          <p className="flex flex-wrap justify-between gap-x-4 text-muted wrap-anywhere">
            <span>
              @{buyer.username} to @{creator.username}
              {givenBack > 0 && `, ${givenBack < amount ? `${usd(givenBack)} ` : ''}refunded`}
            </span>
            <span className="num">{formatExact(at)}</span>
          </p>
          {mayOpen && (
            <p>
              <UiLink
                href={ledgerTransactionPath(id)}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                View transaction
              </UiLink>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
