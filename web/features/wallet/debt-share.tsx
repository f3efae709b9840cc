import { formatCents, toCents } from '@stagedoor/contract/atoms/money.ts';
import { useQuery } from '@tanstack/react-query';
import { walletQuery } from './balance-head.tsx';

export function shareWords(amountCents: number, owedCents: number): string | undefined {
  if (owedCents <= 0 || amountCents <= 0) return undefined;
  const kept = Math.min(amountCents, owedCents);
  if (kept === amountCents && kept < owedCents) return `All of it pays toward the ${formatCents(owedCents)} you owe.`;
  const left = amountCents - kept;
  return `${formatCents(kept)} pays off what you owe; ${left === 0 ? 'you won’t owe anything' : `${formatCents(left)} is added to your balance`}.`;
}

export function DebtShare({ amountCents }: { amountCents: number }) {
  const owed = useQuery(walletQuery()).data?.owed ?? 0;
  const words = shareWords(amountCents, toCents(owed));
  return (
    <p aria-live="polite" className={words && 'pt-2 text-small text-muted tabular-nums'}>
      {words}
    </p>
  );
}
