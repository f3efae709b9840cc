/** The parts of a balance. All are added except `owed`, which is subtracted. */
export const BALANCE_PARTS = ['pending', 'available', 'reserved', 'owed'] as const;
export type BalancePart = (typeof BALANCE_PARTS)[number];
/** In cents. A fan's balance has only `available` and `owed`. */
export type PartAmounts = Readonly<Partial<Record<BalancePart, number>>>;

export type StatementBalance = { balanceCents: number; parts: PartAmounts };

export type StatementRow = {
  id: string;
  at: Date;
  kind: string;
  counterparty: string;
  detail: string;
  /** `grossCents + feeCents = netCents`. `netCents` moved the balance. */
  grossCents: number;
  feeCents: number;
  netCents: number;
  parts: PartAmounts;
  /** For a creator's sale: when its share clears, when it cleared, and how much of its gross was refunded until now. */
  sale: { clearsAt: Date; clearedAt: Date | null; refundedCents: number } | null;
};
export type PrintedLine = StatementRow & { after: StatementBalance };

export type StatementSource = {
  side: 'wallet' | 'earnings';
  opening: StatementBalance;
  closing: StatementBalance;
  rows: AsyncIterable<StatementRow[]>;
};

export type KindTotal = { kind: string; count: number; grossCents: number; feeCents: number; netCents: number };

export type StatementSummary = { count: number; totals: KindTotal[] };

export function listParts({ parts }: { parts: PartAmounts }): [BalancePart, number][] {
  return BALANCE_PARTS.flatMap((part): [BalancePart, number][] => {
    const cents = parts[part];
    return cents === undefined ? [] : [[part, cents]];
  });
}

export function toStatementBalance(parts: PartAmounts): StatementBalance {
  return {
    balanceCents: listParts({ parts }).reduce((sum, [part, cents]) => sum + (part === 'owed' ? -cents : cents), 0),
    parts,
  };
}

function addRow({ balanceCents, parts }: StatementBalance, row: StatementRow): StatementBalance {
  const sums = listParts({ parts }).map(([part, cents]) => [part, cents + (row.parts[part] ?? 0)]);
  return { balanceCents: balanceCents + row.netCents, parts: Object.fromEntries(sums) };
}

function addTotal(totals: Map<string, KindTotal>, { kind, grossCents, feeCents, netCents }: StatementRow): void {
  const sum = totals.get(kind) ?? { kind, count: 0, grossCents: 0, feeCents: 0, netCents: 0 };
  totals.set(kind, {
    kind,
    count: sum.count + 1,
    grossCents: sum.grossCents + grossCents,
    feeCents: sum.feeCents + feeCents,
    netCents: sum.netCents + netCents,
  });
}

const isEqual = (a: StatementBalance, b: StatementBalance) =>
  a.balanceCents === b.balanceCents && BALANCE_PARTS.every((part) => a.parts[part] === b.parts[part]);

/**
 * Passes the lines on, oldest first, and returns the totals by kind. Throws when the lines do not lead to the closing
 * balance, so that a wrong statement is never delivered.
 */
export async function readVerified(
  { opening, closing, rows }: StatementSource,
  onLines: (lines: PrintedLine[]) => Promise<void> | void,
): Promise<StatementSummary> {
  const totals = new Map<string, KindTotal>();
  let balance = opening;
  let count = 0;
  for await (const page of rows) {
    const lines = page.map((row) => {
      balance = addRow(balance, row);
      addTotal(totals, row);
      return { ...row, after: balance };
    });
    count += lines.length;
    await onLines(lines);
  }
  if (!isEqual(balance, closing))
    throw new Error(`a statement does not add up: ${JSON.stringify({ balance, closing })}`);
  return { count, totals: [...totals.values()] };
}
