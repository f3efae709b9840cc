import { formatCents, toCents } from '@stagedoor/contract/shared/money.ts';
import { useQuery } from '@tanstack/react-query';
import { walletQuery } from './balance-head.tsx';

export function formatDebtShare(amountCents: number, owedCents: number): string | undefined {
  if (owedCents <= 0 || amountCents <= 0) return undefined;
  const debtPart = Math.min(amountCents, owedCents);
  if (debtPart === amountCents && debtPart < owedCents)
    return `All of it pays toward the ${formatCents(owedCents)} you owe.`;
  const remaining = amountCents - debtPart;
  return `${formatCents(debtPart)} pays off what you owe; ${remaining === 0 ? 'you won’t owe anything' : `${formatCents(remaining)} is added to your balance`}.`;
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
