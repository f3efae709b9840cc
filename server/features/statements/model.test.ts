/** A statement that does not add up leaves nobody's hands. */
import { expect, test } from 'vitest';
import { type Row, type Source, walk } from './model.ts';

const row: Row = {
  id: '1',
  at: new Date('2026-02-01T10:00:00Z'),
  kind: 'Tip',
  who: '',
  detail: '',
  grossCents: 2_000,
  feeCents: -400,
  netCents: 1_600,
  parts: { pendingCents: 1_600, availableCents: 0, reservedCents: 0, owedCents: 0 },
  sale: null,
};
const balance = (pendingCents: number, availableCents: number) => ({
  balanceCents: pendingCents + availableCents,
  parts: { pendingCents, availableCents, reservedCents: 0, owedCents: 0 },
});

function source(closing: Source['closing']): Source {
  return {
    side: 'earnings',
    opening: balance(100, 0),
    closing,
    rows: (async function* () {
      yield [row, row];
    })(),
  };
}

test('lines lead from the opening balance to the closing one, in all of its parts', async () => {
  const seen: number[] = [];
  const summary = await walk(source(balance(3_300, 0)), (lines) => {
    seen.push(...lines.map(({ after }) => after.balanceCents));
  });
  expect(seen).toEqual([1_700, 3_300]);
  expect(summary).toEqual({
    count: 2,
    totals: [{ kind: 'Tip', count: 2, grossCents: 4_000, feeCents: -800, netCents: 3_200 }],
  });
  for (const wrong of [balance(3_299, 0), balance(3_299, 1)])
    await expect(walk(source(wrong), () => undefined)).rejects.toThrow('does not add up');
});
