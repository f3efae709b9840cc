import type { debtPart } from '@stagedoor/contract/admin/debts.ts';
import { MONEY_KINDS, OTHER_TRANSACTION_TITLE } from '@stagedoor/contract/commerce/money-kinds.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type * as z from 'zod/mini';
import type { DebtPart, SpendingStatus } from '../../ledger/ledger/index.ts';

export function presentDebt(
  { owedCents, isBlocked, isForDebt }: Omit<SpendingStatus, 'balanceCents' | 'balanceLine'>,
  parts: readonly DebtPart[],
) {
  return {
    owed: toUsd(owedCents),
    blocked: isBlocked ? (isForDebt ? ('debt' as const) : ('operator' as const)) : null,
    parts: parts
      .filter(({ openCents }) => openCents > 0)
      .map(
        ({ reversalId, kind, at, openCents }): z.input<typeof debtPart> => ({
          transactionId: reversalId,
          title: MONEY_KINDS[kind]?.title ?? OTHER_TRANSACTION_TITLE,
          at: at.toISOString(),
          amount: toUsd(openCents),
        }),
      ),
  };
}
