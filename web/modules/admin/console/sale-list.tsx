import { ledgerTransactionPath } from '@stagedoor/contract/admin/addresses.ts';
import type { AdminSale } from '@stagedoor/contract/admin/approval-request.ts';
import { getLedgerTransaction } from '@stagedoor/contract/admin/ledger.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import { formatExactTime } from '../../../platform/dates.ts';
import { useCanCallRoute } from '../../../platform/operator.ts';
import { formatNodes } from '../../../ui/format-nodes.ts';
import { UiLink } from '../../../ui/link.tsx';
import * as texts from './texts.ts';

const formatAmount = (amount: number) => formatCents(Math.round(amount * 100));

export function SaleList({
  sales,
  label,
}: {
  sales: readonly (AdminSale & { isForContent?: boolean })[];
  label: string;
}) {
  const canOpen = useCanCallRoute(getLedgerTransaction);
  return (
    <ul className="lines" aria-label={label}>
      {sales.map(({ id, at, title, buyer, creator, amount, refunded, isForContent = false }) => (
        <li key={id} className="grid gap-1 py-3 text-small">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">
              {title}
              {isForContent && <span className="font-normal text-muted">{texts.thisItemSuffix}</span>}
            </span>
            <span className="num">{formatAmount(amount)}</span>
          </p>
          <p className="flex flex-wrap justify-between gap-x-4 text-muted wrap-anywhere">
            <span>
              {formatNodes(texts.saleParties, {
                buyerUsername: buyer.username,
                creatorUsername: creator.username,
                refundNote:
                  refunded > 0 &&
                  formatText(texts.refundedSuffix, {
                    partialAmount: refunded < amount ? `${formatAmount(refunded)} ` : '',
                  }),
              })}
            </span>
            <span className="num">{formatExactTime(at)}</span>
          </p>
          {canOpen && (
            <p>
              <UiLink
                href={ledgerTransactionPath(id)}
                className="inline-flex min-h-11 items-center underline underline-offset-4"
              >
                {texts.viewTransaction}
              </UiLink>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
