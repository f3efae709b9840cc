/** Of which reversal what is owed still is: repayments and what was written off go to the oldest first, a win to its own. */
import { asCents, type Cents } from '@stagedoor/contract/atoms/money.ts';

/** A line of what a fan owes, in the order of its statement. */
export type OwedLine = {
  transactionId: string;
  kind: string;
  /** Positive: owed; negative: no longer. */
  cents: number;
  /** The reversal that it belongs to, what kind that is and when it was; null for what belongs to none. */
  ofId: string | null;
  ofKind: string | null;
  at: Date | null;
};

export type DebtPart = {
  /** The reversal that left it, its kind, and when. */
  reversalId: string;
  kind: string;
  at: Date;
  /** Still owed; gone as a loss. */
  openCents: Cents;
  writtenOffCents: Cents;
};

/** Takes `cents` from parts in their order. */
function take(parts: readonly DebtPart[], cents: number, isLoss: boolean): void {
  let left = cents;
  for (const part of parts) {
    const taken = Math.min(left, part.openCents);
    part.openCents = asCents(part.openCents - taken);
    if (isLoss) part.writtenOffCents = asCents(part.writtenOffCents + taken);
    left -= taken;
  }
}

/** What each reversal left owed, oldest first. */
export function partsOf(lines: readonly OwedLine[]): DebtPart[] {
  const parts: DebtPart[] = [];
  for (const { cents, kind, ofId, ofKind, at } of lines) {
    const known = parts.find(({ reversalId }) => reversalId === ofId);
    // Owed again, as its win was none.
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
