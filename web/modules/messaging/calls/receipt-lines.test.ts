import type { CallDetail } from '@stagedoor/contract/messaging/calls.ts';
import { describe, expect, test } from 'vitest';
import { calculateReconnectSeconds, calculateSums, listTimeline } from './receipt-lines.ts';

const createTimeline = (...entries: [event: string, second: number][]) =>
  ({
    timeline: entries.map(([event, second]) => ({
      ...{ event, by: null, connectedMs: 0 },
      at: new Date(Date.UTC(2026, 10, 30, 11, 22, second)).toISOString(),
    })),
  }) as CallDetail;

describe('the timeline of a receipt', () => {
  test('shows the end of the connection when the call ended later', () => {
    const detail = createTimeline(['clockStarts', 15], ['clockStops', 41], ['over', 52]);
    expect(listTimeline(detail).map(({ event }) => event)).toEqual(['clockStarts', 'clockStops', 'over']);
    expect(calculateReconnectSeconds(detail)).toBe(11);
  });

  test('does not show it when both are the same', () => {
    const detail = createTimeline(['clockStarts', 15], ['clockStops', 52], ['over', 52]);
    expect(listTimeline(detail).map(({ event }) => event)).toEqual(['clockStarts', 'over']);
    expect(calculateReconnectSeconds(detail)).toBe(0);
  });
});

test('the total of a receipt is the call and its tips without refunds', () => {
  const tips = [5, 0.7].map((amount) => ({ amount })) as CallDetail['tips'];
  expect(calculateSums({ amount: 9, refunded: 1.5, tips })).toEqual({ tipCents: 570, totalCents: 1_320 });
  expect(calculateSums({ amount: 9, refunded: 0, tips: [] })).toEqual({ tipCents: 0, totalCents: 900 });
});
