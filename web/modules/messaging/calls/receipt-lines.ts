/** What the receipt of a call lists and adds up. */
import type { CallDetail } from '@stagedoor/contract/messaging/calls.ts';

export type TimelineEntry = CallDetail['timeline'][number];

/** Reserved money and tips appear in other lists, and the ringing time is part of the waiting time. */
const isListed = ({ event: kind }: TimelineEntry) => kind !== 'extended' && kind !== 'tipped' && kind !== 'rang';

const toSecond = ({ at }: TimelineEntry) => Math.floor(Date.parse(at) / 1000);
/** In whole seconds. */
export function calculateDuration(from: TimelineEntry, to: TimelineEntry | undefined): number {
  return to ? toSecond(to) - toSecond(from) : 0;
}

/**
 * The clock stops when the call ends, so that event is not listed separately. If the connection was lost earlier, it explains
 * why the time until the end was not billed.
 */
export function listTimeline(detail: CallDetail): TimelineEntry[] {
  const timeline = detail.timeline.filter(isListed);
  return timeline.filter((entry, index) => {
    const next = timeline[index + 1];
    return !(entry.event === 'clockStops' && next?.event === 'over' && calculateDuration(entry, next) < 1);
  });
}

export function calculateReconnectSeconds(detail: CallDetail): number {
  const timeline = listTimeline(detail);
  const gaps = timeline.map((entry, index) =>
    entry.event === 'clockStops' ? calculateDuration(entry, timeline[index + 1]) : 0,
  );
  return gaps.reduce((sum, seconds) => sum + seconds, 0);
}

type ReceiptSums = { tipCents: number; totalCents: number };

/** In cents, what the fan paid or the creator earns: the tips in the call, and the call and its tips without refunds. */
export function calculateSums({
  amount,
  refunded,
  tips,
}: Pick<CallDetail, 'amount' | 'refunded' | 'tips'>): ReceiptSums {
  const toCents = (usd: number) => Math.round(usd * 100);
  const tipCents = tips.reduce((sum, tip) => sum + toCents(tip.amount), 0);
  return { tipCents, totalCents: toCents(amount) - toCents(refunded) + tipCents };
}
