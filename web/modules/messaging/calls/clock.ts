/** Computes the call clock that is shown: the server's last values, advanced by a monotonic local clock. */
import type { SpendingBound } from '@stagedoor/contract/commerce/spending-bounds.ts';
import { calculateCallCharge, calculateCallPrice } from '@stagedoor/contract/messaging/call-states.ts';
import { formatText } from '@stagedoor/contract/shared/format-text.ts';
import { formatCents } from '@stagedoor/contract/shared/money.ts';
import type { ReceivedClock } from './state.ts';
import * as texts from './texts.ts';

export type DisplayedClock = {
  /** Whole seconds during which both sides were connected. */
  seconds: number;
  /** Cents that the fan has spent: the charge if the call ended now, and tips. For the creator, their share of it. */
  cents: number;
  /** The tips within `cents`. */
  tipCents: number;
  /** Whole seconds that the fan's money still lasts. Null for the creator. */
  leftSeconds: number | null;
  /** Cents that the fan can still spend in this call, on talk time and tips. Null for the creator. */
  leftCents: number | null;
  /** What the fan's limits leave of it, and which of them. Null for the creator. */
  bound: { kind: SpendingBound['kind']; cents: number } | null;
};

/** @param now Milliseconds by the same clock that `receivedAt` was read from. */
export function advanceClock(clock: ReceivedClock, now: number, rateCents: number): DisplayedClock {
  const elapsedMs = clock.isRunning ? Math.max(0, now - clock.receivedAt) : 0;
  const connectedMs = clock.connectedMs + elapsedMs;
  const grossCents = calculateCallCharge(connectedMs, rateCents);
  const leftMs = clock.leftMs === null ? null : Math.max(0, clock.leftMs - elapsedMs);
  const tipCents = Math.round(clock.tips * 100);
  const chargeCents = Math.max(Math.round(clock.amount * 100), Math.floor(grossCents * clock.share));
  const calculatePriceAt = (ms: number) => calculateCallPrice(Math.floor(ms / 1000), rateCents);
  const sinceReceivedCents = calculatePriceAt(connectedMs) - calculatePriceAt(clock.connectedMs);
  const toCentsLeft = (usd: number) => Math.max(0, Math.round(usd * 100) - sinceReceivedCents);
  return {
    seconds: Math.floor(connectedMs / 1000),
    cents: chargeCents + tipCents,
    tipCents,
    leftSeconds: leftMs === null ? null : Math.floor(leftMs / 1000),
    leftCents: clock.spendable === null ? null : toCentsLeft(clock.spendable),
    bound: clock.bound && { kind: clock.bound.kind, cents: toCentsLeft(clock.bound.left) },
  };
}

export function formatLength(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  return minutes >= 60
    ? formatText(texts.lengthInHours, { hourCount: Math.floor(minutes / 60), minutes: minutes % 60 })
    : formatText(texts.lengthInMinutes, { minutes, seconds: seconds % 60 });
}

/** Formats "$68.00 spent" for the fan and "$54.40 earned" for the creator, with the tips in the call. */
export function formatSum({ cents }: Pick<DisplayedClock, 'cents'>, isFan: boolean): string {
  return formatText(isFan ? texts.amountSpent : texts.amountEarned, { amount: formatCents(cents) });
}

/** Returns the limit that ends the call, so that adding funds does not continue it. Undefined if the balance does. */
export function findLimitEnd({ leftCents, bound }: DisplayedClock): SpendingBound['kind'] | undefined {
  return leftCents !== null && bound && bound.cents <= leftCents ? bound.kind : undefined;
}

const LEFT_LABELS: Readonly<Record<SpendingBound['kind'], string>> = {
  day: texts.leftToday,
  week: texts.leftThisWeek,
  month: texts.leftThisMonth,
  break: texts.remainingBalance,
};

export function formatLeftLabel(limitEnd: SpendingBound['kind'] | undefined): string {
  return limitEnd === undefined ? texts.remainingBalance : LEFT_LABELS[limitEnd];
}

export function formatApproximateLength(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return formatText(texts.talkTimeInSeconds, { seconds });
  return minutes >= 120
    ? formatText(texts.talkTimeInHours, { hourCount: Math.floor(minutes / 60) })
    : formatText(texts.talkTimeInMinutes, { minutes });
}
