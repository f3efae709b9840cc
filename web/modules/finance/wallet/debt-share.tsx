import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents, toCents } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { walletQuery } from './balance-head.tsx';
import * as texts from './texts.ts';

export function formatDebtShare(amountCents: number, owedCents: number): string | undefined {
  if (owedCents <= 0 || amountCents <= 0) return undefined;
  const debtPart = Math.min(amountCents, owedCents);
  if (debtPart === amountCents && debtPart < owedCents)
    return formatText(texts.allPaysDebt, { owed: formatCents(owedCents) });
  const remaining = amountCents - debtPart;
  return formatText(texts.partPaysDebt, {
    debtPart: formatCents(debtPart),
    remainder:
      remaining === 0 ? texts.youWontOweAnything : formatText(texts.restIsAdded, { amount: formatCents(remaining) }),
  });
}

export function DebtShare({ amountCents }: { amountCents: number }) {
  const owed = useQuery(walletQuery()).data?.owed ?? 0;
  const text = formatDebtShare(amountCents, toCents(owed));
  return (
    <p aria-live="polite" className={text && 'pt-2 text-small text-muted tabular-nums'}>
      {text}
    </p>
  );
}
