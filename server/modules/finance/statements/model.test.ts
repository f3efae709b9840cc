import { expect, test } from 'vitest';
import { readVerified, type StatementRow, type StatementSource, toStatementBalance } from './model.ts';

const row: StatementRow = {
  id: '1',
  at: new Date('2026-02-01T10:00:00Z'),
  kind: 'Tip',
  counterparty: '',
  detail: '',
  grossCents: 2_000,
  feeCents: -400,
  netCents: 1_600,
  parts: { pending: 1_600, available: 0, reserved: 0, owed: 0 },
  sale: null,
};
const balance = (pending: number, available: number) =>
  toStatementBalance({ pending, available, reserved: 0, owed: 0 });

function source(closing: StatementSource['closing']): StatementSource {
  return {
    side: 'earnings',
    opening: balance(100, 0),
    closing,
    rows: (async function* () {
      yield [row, row];
    })(),
  };
}

test('lines must add up from the opening to the closing balance in all parts, or the statement is refused', async () => {
  const seen: number[] = [];
  const summary = await readVerified(source(balance(3_300, 0)), (lines) => {
    seen.push(...lines.map(({ after }) => after.balanceCents));
  });
  expect(seen).toEqual([1_700, 3_300]);
  expect(summary).toEqual({
    count: 2,
    totals: [{ kind: 'Tip', count: 2, grossCents: 4_000, feeCents: -800, netCents: 3_200 }],
  });
  for (const wrong of [balance(3_299, 0), balance(3_299, 1), { ...balance(3_300, 0), balanceCents: 1 }])
    await expect(readVerified(source(wrong), () => undefined)).rejects.toThrow('does not add up');
});
