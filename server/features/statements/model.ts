/** The parts of a balance. All are added except `owed`, which is subtracted. */
export const PARTS = ['pending', 'available', 'reserved', 'owed'] as const;
export type Part = (typeof PARTS)[number];
/** In cents. A fan's balance has only `available` and `owed`. */
export type Parts = Readonly<Partial<Record<Part, number>>>;

export type Balance = { balanceCents: number; parts: Parts };

export type Row = {
  id: string;
  at: Date;
  kind: string;
  who: string;
  detail: string;
  /** `grossCents + feeCents = netCents`. `netCents` moved the balance. */
  grossCents: number;
  feeCents: number;
  netCents: number;
  parts: Parts;
  /** For a creator's sale: when its share clears, when it cleared, and how much of its gross was refunded until now. */
  sale: { clearsAt: Date; clearedAt: Date | null; givenBackCents: number } | null;
};
export type Line = Row & { after: Balance };

export type Source = {
  side: 'wallet' | 'earnings';
  opening: Balance;
  closing: Balance;
  rows: AsyncIterable<Row[]>;
};

export type Total = { kind: string; count: number; grossCents: number; feeCents: number; netCents: number };

export type Summary = { count: number; totals: Total[] };

export function partsIn({ parts }: { parts: Parts }): [Part, number][] {
  return PARTS.flatMap((part): [Part, number][] => {
    const cents = parts[part];
    return cents === undefined ? [] : [[part, cents]];
  });
}

export function balanceOf(parts: Parts): Balance {
  return {
    balanceCents: partsIn({ parts }).reduce((sum, [part, cents]) => sum + (part === 'owed' ? -cents : cents), 0),
    parts,
  };
}

function after({ balanceCents, parts }: Balance, row: Row): Balance {
  const moved = partsIn({ parts }).map(([part, cents]) => [part, cents + (row.parts[part] ?? 0)]);
  return { balanceCents: balanceCents + row.netCents, parts: Object.fromEntries(moved) };
}

function addTotal(totals: Map<string, Total>, { kind, grossCents, feeCents, netCents }: Row): void {
  const sum = totals.get(kind) ?? { kind, count: 0, grossCents: 0, feeCents: 0, netCents: 0 };
  totals.set(kind, {
    kind,
    count: sum.count + 1,
    grossCents: sum.grossCents + grossCents,
    feeCents: sum.feeCents + feeCents,
    netCents: sum.netCents + netCents,
  });
}

const isEqual = (a: Balance, b: Balance) =>
  a.balanceCents === b.balanceCents && PARTS.every((part) => a.parts[part] === b.parts[part]);

/**
 * Passes the lines on, oldest first, and returns the totals by kind. Throws when the lines do not lead to the closing
 * balance, so that a wrong statement is never delivered.
 */
export async function walk(
  { opening, closing, rows }: Source,
  take: (lines: Line[]) => Promise<void> | void,
): Promise<Summary> {
  const totals = new Map<string, Total>();
  let balance = opening;
  let count = 0;
  for await (const page of rows) {
    const lines = page.map((row) => {
      balance = after(balance, row);
      addTotal(totals, row);
      return { ...row, after: balance };
    });
    count += lines.length;
    await take(lines);
  }
  if (!isEqual(balance, closing))
    throw new Error(`a statement does not add up: ${JSON.stringify({ balance, closing })}`);
  return { count, totals: [...totals.values()] };
}
