import { earning } from '@stagedoor/contract/earnings.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createQueryClient } from '../../kernel/query.ts';
import { withEarning } from './live.ts';
import { recentQuery, recentTipsQuery, takeEarning } from './recent-earnings.tsx';

const make = (serial: number, isReversed = false, kind: 'call' | 'tip' = 'tip') =>
  z.parse(earning, {
    id: `0190a000-0000-7000-8000-00000000000${serial}`,
    createdAt: `2026-11-2${serial}T10:00:00.000Z`,
    kind,
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
    detail: 'on profile',
    href: null,
  });

test('an earning appears once, newest first, and a reversal replaces it', () => {
  expect(withEarning([make(1)], make(2))).toEqual([make(2), make(1)]);
  expect(withEarning([make(2), make(1)], make(2))).toEqual([make(2), make(1)]);
  expect(withEarning([make(2), make(1)], make(1, true))).toEqual([make(2), make(1, true)]);
});

test('recent tips contain only tips, and all earnings also contain call payments', () => {
  const client = createQueryClient();
  const empty = { data: [], limit: 10, totalCount: 0 };
  for (const { queryKey } of [recentQuery(), recentTipsQuery()]) client.setQueryData(queryKey, empty);
  takeEarning(client, make(1));
  takeEarning(client, make(2, false, 'call'));
  expect(client.getQueryData(recentTipsQuery().queryKey)?.data).toEqual([make(1)]);
  expect(client.getQueryData(recentQuery().queryKey)?.data).toEqual([make(2, false, 'call'), make(1)]);
});
