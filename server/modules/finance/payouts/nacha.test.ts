import { isAbaRouting } from '@stagedoor/contract/finance/payouts.ts';
import { expect, test } from 'vitest';
import { type AchFile, formatAchFile, getEffectiveDate, getModifier } from './nacha.ts';

const createdAt = new Date('2026-11-21T09:30:00Z');
const FILE: AchFile = {
  originator: {
    destination: '091000019',
    destinationName: 'FRB Minneapolis',
    origin: '1234567890',
    originName: 'Example Platform Inc',
    companyName: 'Example Platform',
    companyId: '1234567890',
    odfi: '12345678',
  },
  createdAt,
  effectiveOn: getEffectiveDate(createdAt),
  modifier: getModifier(0),
  entries: [
    {
      routing: '091000019',
      account: '744-5678-99',
      isSavings: false,
      cents: 12_550,
      id: 'PO-000001',
      name: 'Jane Creator',
    },
    {
      routing: '011401533',
      account: '1111222233330000',
      isSavings: true,
      cents: 100_000,
      id: 'PO-000002',
      name: 'Sam Creator',
    },
  ],
};

const REFERENCE = `101 09100001912345678902611210930A094101FRB MINNEAPOLIS        EXAMPLE PLATFORM INC           
5220EXAMPLE PLATFORM                    1234567890PPDPAYOUT    261121261124   1123456780000001
622091000019744-5678-99      0000012550PO-000001      JANE CREATOR            0123456780000001
6320114015331111222233330000 0000100000PO-000002      SAM CREATOR             0123456780000002
822000000200102401540000000000000000001125501234567890                         123456780000001
9000001000001000000020010240154000000000000000000112550                                       
${'9'.repeat(94)}
${'9'.repeat(94)}
${'9'.repeat(94)}
${'9'.repeat(94)}
`;

test('an ACH file equals the reference character by character', () => {
  expect(formatAchFile(FILE)).toBe(REFERENCE);
});

test('an ACH file of any length has full blocks of ten 94-character lines and correct totals', () => {
  for (const count of [1, 5, 6, 7, 3_000]) {
    const entries = Array.from(
      { length: count },
      () => ({ ...FILE.entries[0], routing: '011401533', cents: 333 }) as const,
    );
    const lines = formatAchFile({
      ...FILE,
      entries: entries.map((one) => ({ ...one, account: '1', isSavings: false, id: 'X', name: 'X'.repeat(40) })),
    }).split('\n');
    expect(lines.pop()).toBe('');
    expect([lines.length % 10, new Set(lines.map(({ length }) => length))]).toEqual([0, new Set([94])]);
    const control = lines.find((line) => line.startsWith('9000001'));
    expect(control?.slice(7, 13)).toBe(String(lines.length / 10).padStart(6, '0'));
    expect(control?.slice(13, 21)).toBe(String(count).padStart(8, '0'));
    expect(Number(control?.slice(21, 31))).toBe((1_140_153 * count) % 10 ** 10);
    expect(Number(control?.slice(43, 55))).toBe(333 * count);
  }
});

test('amounts that do not fit and a 37th file per day are refused', () => {
  const [entry] = FILE.entries;
  if (!entry) throw new Error('there is one');
  expect(() => formatAchFile({ ...FILE, entries: [{ ...entry, cents: 10 ** 10 }] })).toThrow(RangeError);
  expect(getModifier(35)).toBe('9');
  expect(() => getModifier(36)).toThrow('36 files a day');
});

test('routing numbers must match their check digit', () => {
  expect(['091000019', '011401533', '123456789', '000000000', '09100001'].map(isAbaRouting)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
