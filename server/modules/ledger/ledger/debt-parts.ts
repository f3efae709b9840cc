/**
 * Assigns a debt to the reversals that caused it. Repayments and write-offs apply to the oldest first, a won chargeback
 * to its own.
 */
import { asCents, type Cents } from '@stagedoor/contract/shared/money.ts';

export type DebtLine = {
  transactionId: string;
  kind: string;
  /** Positive: debt increases. Negative: debt decreases. */
  cents: number;
  causeId: string | null;
  causeKind: string | null;
  at: Date | null;
};

export type DebtPart = {
  reversalId: string;
  kind: string;
  at: Date;
  openCents: Cents;
  writtenOffCents: Cents;
};

function reduceParts(parts: readonly DebtPart[], cents: number, isLoss: boolean): void {
  let remaining = cents;
  for (const part of parts) {
    const reduced = Math.min(remaining, part.openCents);
    part.openCents = asCents(part.openCents - reduced);
    if (isLoss) part.writtenOffCents = asCents(part.writtenOffCents + reduced);
    remaining -= reduced;
  }
}

export function toDebtParts(lines: readonly DebtLine[]): DebtPart[] {
  const parts: DebtPart[] = [];
  for (const { cents, kind, causeId, causeKind, at } of lines) {
    const known = parts.find(({ reversalId }) => reversalId === causeId);
    // The won chargeback was reversed, so the amount is owed again.
    if (cents > 0 && known) known.openCents = asCents(known.openCents + cents);
    else if (cents > 0 && causeId !== null && causeKind !== null && at !== null)
      parts.push({ reversalId: causeId, kind: causeKind, at, openCents: asCents(cents), writtenOffCents: asCents(0) });
    else if (cents < 0) {
      const own = causeId === null ? parts : parts.filter(({ reversalId }) => reversalId === causeId);
      reduceParts(own, -cents, kind === 'debt_write_off');
    }
  }
  return parts;
}
