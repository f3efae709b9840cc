/** Simulates calls for tests and demo data, with a clock that is moved by hand. */
import type { CallSettings } from '@stagedoor/contract/calls.ts';
import type { Context } from '../../kernel/context.ts';
import { SIDES } from './call/sides.ts';
import { hear, writeHearings } from './clock/hearing.ts';
import { meter } from './clock/metering.ts';

export const SETTINGS: CallSettings = {
  isAvailable: true,
  videoRate: 3,
  audioRate: 2,
  shortestMinutes: 1,
  hours: [],
  timeZone: 'UTC',
};

const STEP_MS = 4_000;

type Advance = (ms: number) => void;

async function pass(ctx: Context, advance: Advance, ms: number, say: () => Promise<unknown>): Promise<void> {
  await say();
  for (let left = ms; left > 0; left -= STEP_MS) {
    advance(Math.min(STEP_MS, left));
    await say();
    await writeHearings(ctx);
    await meter(ctx);
  }
}

export function passTime(ctx: Context, advance: Advance, callId: string, ms: number): Promise<void> {
  return pass(ctx, advance, ms, () => Promise.all(SIDES.map((side) => hear(ctx, { callId, side, isConnected: true }))));
}

export function keepRinging(ctx: Context, advance: Advance, callId: string, ms: number): Promise<void> {
  return pass(ctx, advance, ms, () => hear(ctx, { callId, side: 'fan', isConnected: undefined }));
}
