/** What a statement is before it is written: its rows in words, and the proof that they add up. */

/** What a balance is made of: all added, but what is owed, which is taken off. */
export const PARTS = ['pending', 'available', 'reserved', 'owed'] as const;
export type Part = (typeof PARTS)[number];
/** In cents. A fan's has what is available and owed alone. */
export type Parts = Readonly<Partial<Record<Part, number>>>;

export type Balance = { balanceCents: number; parts: Parts };

export type Row = {
  id: string;
  at: Date;
  /** In plain words. */
  kind: string;
  /** The other side, when a person. */
  who: string;
  detail: string;
  /** `grossCents + feeCents = netCents`, the last of which moved the balance. */
  grossCents: number;
  feeCents: number;
  netCents: number;
  /** What it moved on each part. */
  parts: Parts;
  /** Of a creator's sale: when its share clears, when it did, and what of its gross was given back until now. */
  sale: { clearsAt: Date; clearedAt: Date | null; givenBackCents: number } | null;
};
/** With the balance after it. */
export type Line = Row & { after: Balance };

export type Source = {
  /** `wallet` or `earnings`: in the file's name and in its title. */
  side: 'wallet' | 'earnings';
  opening: Balance;
  closing: Balance;
  rows: AsyncIterable<Row[]>;
};

export type Total = { kind: string; count: number; grossCents: number; feeCents: number; netCents: number };

export type Summary = { count: number; totals: Total[] };

/** The parts that a balance has, in their order. */
export function partsIn({ parts }: { parts: Parts }): [Part, number][] {
  return PARTS.flatMap((part): [Part, number][] => {
    const cents = parts[part];
    return cents === undefined ? [] : [[part, cents]];
  });
}

/** A balance of its parts. */
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
 * Hands the lines over, oldest first, and answers their totals by kind in the order in which kinds appear. Throws when opening
 * balance and lines do not make the closing balance: a statement that does not add up is a bug, and leaves nobody's hands.
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
