/** The clock of a call as it is shown: what the server told, counted on by a clock that never jumps. */
import { chargeOf, priceOf } from '@stagedoor/contract/call-states.ts';
import type { HeardClock } from './state.ts';

export type ShownClock = {
  /** Whole seconds that both sides were connected. */
  seconds: number;
  /** Cents: what the fan would be charged now; to the creator, their share of it. */
  cents: number;
  /** Whole seconds for which the fan's money lasts; null for the creator. */
  leftSeconds: number | null;
  /** Cents: what of that money would be left if the call ended now, so that with `cents` it is always the same sum. */
  leftCents: number | null;
};

/** @param now by the clock that `heardAt` was read from, in milliseconds */
export function clockAt(clock: HeardClock, now: number, rateCents: number): ShownClock {
  const passed = clock.isRunning ? Math.max(0, now - clock.heardAt) : 0;
  const talked = clock.talkedMs + passed;
  const gross = chargeOf(talked, rateCents);
  const left = clock.leftMs === null ? null : Math.max(0, clock.leftMs - passed);
  const cents = Math.max(Math.round(clock.amount * 100), Math.floor(gross * clock.share));
  return {
    seconds: Math.floor(talked / 1000),
    cents,
    leftSeconds: left === null ? null : Math.floor(left / 1000),
    leftCents: left === null ? null : Math.max(0, priceOf(Math.floor((talked + left) / 1000), rateCents) - cents),
  };
}

/** "2 min 0 s", "48 s". */
export function lengthWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes} min ${seconds % 60} s`;
}

/** Where less is left than the balance holds, it is a limit that ends the call. @param balance in USD, without what is set aside */
export function leftWords(leftCents: number, balance: number): string {
  return leftCents < Math.round(balance * 100) ? 'Left today' : 'Left';
}

/** "about 12 min": never more than there is. */
export function aboutWords(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return `${seconds} seconds`;
  return minutes >= 120 ? `about ${Math.floor(minutes / 60)} h` : `about ${minutes} min`;
}
