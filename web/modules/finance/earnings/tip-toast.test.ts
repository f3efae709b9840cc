import { earning, earningReceived } from '@stagedoor/contract/finance/earnings.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { onSignal } from '../../../platform/signals.ts';
import { dispatchEvent } from '../../../platform/socket-events.ts';
import { featureModule } from './module.ts';
import { formatTipToast } from './tip-toast.ts';

const tip = z.parse(earning, {
  id: '0198c9a0-0000-7000-8000-000000000001',
  createdAt: '2026-03-04T12:00:00.000Z',
  kind: 'tip',
  title: 'Tip',
  gross: 5,
  platformFee: 1,
  affiliateFee: 0,
  feePercent: 20,
  net: 4,
  clearsAt: '2026-03-11T12:00:00.000Z',
  clearedAt: null,
  isReversed: false,
  refunded: 0,
  netAfterRefunds: 4,
  fan: { name: 'Ana', avatarUrl: null },
  note: '',
  detail: 'in a call',
  href: null,
});
const strip = (text: string | undefined) => text?.replaceAll(/[\u2066-\u2069]/g, '');

test('a tip is announced with its amount and its message', () => {
  expect(strip(formatTipToast(tip))).toBe('Ana tipped you $5.00.');
  expect(strip(formatTipToast({ ...tip, note: 'For the song' }))).toBe('Ana tipped you $5.00: “For the song”');
});

test('other sales and refunds of tips are not announced', () => {
  expect(formatTipToast({ ...tip, kind: 'post' })).toBeUndefined();
  expect(formatTipToast({ ...tip, refunded: 5, isReversed: true })).toBeUndefined();
});

test('a tip that arrives is shown as a toast, other sales are not', () => {
  const showToast = vi.fn();
  const client = new QueryClient();
  const viewer = { id: userId.parse('0198c9a0-0000-7000-8000-000000000002'), type: 'creator' as const };
  const stops = [onSignal('toast', showToast), ...(featureModule.live ?? []).map((listen) => listen(client, viewer))];
  dispatchEvent(earningReceived.name, { ...tip, kind: 'post' });
  expect(showToast).not.toHaveBeenCalled();
  dispatchEvent(earningReceived.name, tip);
  expect(showToast).toHaveBeenCalledOnce();
  for (const stop of stops) stop();
});
