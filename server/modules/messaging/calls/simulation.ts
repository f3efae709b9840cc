/** Simulates calls for tests and demo data, with a clock that is moved by hand. */
import type { CallSettings } from '@stagedoor/contract/messaging/calls.ts';
import type { Context } from '../../../platform/context.ts';
import { SIDES } from './call/sides.ts';
import { recordCallHeartbeat, writeHeartbeats } from './clock/heartbeats.ts';
import { meterCalls } from './clock/metering.ts';

export const SAMPLE_CALL_SETTINGS: CallSettings = {
  isAvailable: true,
  videoRate: 3,
  audioRate: 2,
  minMinutes: 1,
  hours: [],
  timeZone: 'UTC',
  callerRule: 'everyone',
  callerTierId: null,
};

const STEP_MS = 4_000;

type Advance = (ms: number) => void;

async function advanceInSteps(
  ctx: Context,
  advance: Advance,
  ms: number,
  sendHeartbeats: () => Promise<unknown>,
): Promise<void> {
  await sendHeartbeats();
  for (let remainingMs = ms; remainingMs > 0; remainingMs -= STEP_MS) {
    advance(Math.min(STEP_MS, remainingMs));
    await sendHeartbeats();
    await writeHeartbeats(ctx);
    await meterCalls(ctx);
  }
}

export function simulateCallTime(ctx: Context, advance: Advance, callId: string, ms: number): Promise<void> {
  return advanceInSteps(ctx, advance, ms, () =>
    Promise.all(SIDES.map((side) => recordCallHeartbeat(ctx, { callId, side, isConnected: true }))),
  );
}

export function simulateRinging(ctx: Context, advance: Advance, callId: string, ms: number): Promise<void> {
  return advanceInSteps(ctx, advance, ms, () =>
    recordCallHeartbeat(ctx, { callId, side: 'fan', isConnected: undefined }),
  );
}
