/**
 * Assigns a debt to the reversals that caused it. Repayments and write-offs apply to the oldest first, a won chargeback
 * to its own.
 */
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';

export type OwedLine = {
  transactionId: string;
  kind: string;
  /** Positive: debt increases. Negative: debt decreases. */
  cents: number;
  ofId: string | null;
  ofKind: string | null;
  at: Date | null;
};

export type DebtPart = {
  reversalId: string;
  kind: string;
  at: Date;
  openCents: Cents;
  writtenOffCents: Cents;
};

function take(parts: readonly DebtPart[], cents: number, isLoss: boolean): void {
  let left = cents;
  for (const part of parts) {
    const taken = Math.min(left, part.openCents);
    part.openCents = asCents(part.openCents - taken);
    if (isLoss) part.writtenOffCents = asCents(part.writtenOffCents + taken);
    left -= taken;
  }
}

export function partsOf(lines: readonly OwedLine[]): DebtPart[] {
  const parts: DebtPart[] = [];
  for (const { cents, kind, ofId, ofKind, at } of lines) {
    const known = parts.find(({ reversalId }) => reversalId === ofId);
    // The won chargeback was reversed, so the amount is owed again.
    if (cents > 0 && known) known.openCents = asCents(known.openCents + cents);
    else if (cents > 0 && ofId !== null && ofKind !== null && at !== null)
      parts.push({ reversalId: ofId, kind: ofKind, at, openCents: asCents(cents), writtenOffCents: asCents(0) });
    else if (cents < 0) {
      const own = ofId === null ? parts : parts.filter(({ reversalId }) => reversalId === ofId);
      take(own, -cents, kind === 'debt_write_off');
    }
  }
  return parts;
}
