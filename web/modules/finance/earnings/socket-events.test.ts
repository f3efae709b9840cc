import { earning } from '@stagedoor/contract/finance/earnings.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createQueryClient } from '../../../platform/query.ts';
import { applyEarning, recentEarningsQuery, recentTipsQuery } from './recent-earnings.tsx';
import { mergeEarning } from './socket-events.ts';

const createEarning = (serial: number, isReversed = false, kind: 'call' | 'tip' = 'tip') =>
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
    refunded: isReversed ? 20 : 0,
    netAfterRefunds: isReversed ? 0 : 16,
    fan: { name: 'A fan', avatarUrl: null },
    note: '',
    detail: 'on profile',
    href: null,
  });

test('an earning appears once, newest first, and a reversal replaces it', () => {
  expect(mergeEarning([createEarning(1)], createEarning(2))).toEqual([createEarning(2), createEarning(1)]);
  expect(mergeEarning([createEarning(2), createEarning(1)], createEarning(2))).toEqual([
    createEarning(2),
    createEarning(1),
  ]);
  expect(mergeEarning([createEarning(2), createEarning(1)], createEarning(1, true))).toEqual([
    createEarning(2),
    createEarning(1, true),
  ]);
});

test('recent tips contain only tips, and all earnings also contain call payments', () => {
  const client = createQueryClient();
  const empty = { data: [], limit: 10, totalCount: 0 };
  for (const { queryKey } of [recentEarningsQuery(), recentTipsQuery()]) client.setQueryData(queryKey, empty);
  applyEarning(client, createEarning(1));
  applyEarning(client, createEarning(2, false, 'call'));
  expect(client.getQueryData(recentTipsQuery().queryKey)?.data).toEqual([createEarning(1)]);
  expect(client.getQueryData(recentEarningsQuery().queryKey)?.data).toEqual([
    createEarning(2, false, 'call'),
    createEarning(1),
  ]);
});
