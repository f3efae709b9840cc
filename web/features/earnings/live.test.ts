/** Cache plus event equals a refetch. */
import { earning } from '@stagedoor/contract/earnings.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { withEarning } from './live.ts';

const make = (serial: number, isReversed = false) =>
  z.parse(earning, {
    id: `0190a000-0000-7000-8000-00000000000${serial}`,
    createdAt: `2026-11-2${serial}T10:00:00.000Z`,
    kind: 'tip',
    title: 'Tip',
    gross: 20,
    platformFee: 4,
    affiliateFee: 0,
    feePercent: 20,
    net: 16,
    clearsAt: '2026-12-01T00:00:00.000Z',
    clearedAt: null,
    isReversed,
    givenBack: isReversed ? 20 : 0,
    kept: isReversed ? 0 : 16,
    fan: { name: 'A fan', avatarUrl: null },
    note: '',
    detail: 'in profile',
    href: null,
  });

test('an earning appears once, newest first, and a reversal replaces it', () => {
  expect(withEarning([make(1)], make(2))).toEqual([make(2), make(1)]);
  expect(withEarning([make(2), make(1)], make(2))).toEqual([make(2), make(1)]);
  expect(withEarning([make(2), make(1)], make(1, true))).toEqual([make(2), make(1, true)]);
});
