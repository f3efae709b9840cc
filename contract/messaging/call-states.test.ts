import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CALL_EVENTS,
  CALL_STATUSES,
  type CallEvent,
  type CallStatus,
  calculateAffordableSeconds,
  calculateCallCharge,
  calculateCallPrice,
  findTransition,
  getConnectedMs,
  IDLE_CLOCK,
  isCallOpen,
  startClock,
  stopClock,
  toChargedSeconds,
} from './call-states.ts';

const BEFORE =
  'received>received reject>cancel:declined cancelled>cancel:cancelled endCall>cancel:cancelled unanswered>cancel:noAnswer unreachable>cancel:offline stopped>cancel:stopped';
/** The table was written by hand. Other events change nothing. */
const EXPECTED: Record<CallStatus, string> = {
  validate: 'offered>calling cancelled>cancel:cancelled stopped>cancel:stopped',
  calling: `rang>ringing ${BEFORE}`,
  ringing: BEFORE,
  received:
    'endCall>ended:hungUp cancelled>ended:hungUp unconnected>failed:notConnected disconnected>drop:lost outOfFunds>ended:funds stopped>ended:stopped',
  ended: '',
  drop: '',
  cancel: '',
  failed: '',
};

function describeTransition(status: CallStatus, event: CallEvent): string {
  const next = findTransition(status, event);
  return next === undefined ? '' : `${next.status}${next.reason ? `:${next.reason}` : ''}`;
}

describe('call states', () => {
  for (const status of CALL_STATUSES)
    for (const event of CALL_EVENTS)
      it(`handles ${event} in the state ${status}`, () => {
        const expected = EXPECTED[status].split(' ').find((rule) => rule.startsWith(`${event}>`));
        expect(describeTransition(status, event)).toBe(expected?.slice(event.length + 1) ?? '');
      });

  it('never leave a final state, whatever events follow', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...CALL_EVENTS)), (events) => {
        let status: CallStatus = 'validate';
        let finalStatus: CallStatus | undefined;
        for (const event of events) {
          status = findTransition(status, event)?.status ?? status;
          finalStatus ??= isCallOpen(status) ? undefined : status;
          if (finalStatus) expect(status).toBe(finalStatus);
        }
      }),
    );
  });
});

describe('call metering', () => {
  it('charges 2:31 at $3 a minute with $7.55, as in the example of the specification', () => {
    expect(calculateCallCharge(151_000, 300)).toBe(755);
  });

  it('is free for 19.999 s and charges 20 s', () => {
    expect([calculateCallCharge(19_999, 300), calculateCallCharge(20_000, 300)]).toEqual([0, 100]);
    expect(toChargedSeconds(20_999)).toBe(20);
  });

  it('counts each running moment once when the clock is started or stopped repeatedly', () => {
    const steps = fc.array(fc.record({ isStart: fc.boolean(), after: fc.nat({ max: 100_000 }) }));
    fc.assert(
      fc.property(steps, (history) => {
        let [clock, at, isRunning, sum] = [IDLE_CLOCK, 0, false, 0];
        for (const { isStart, after } of history) {
          at += after;
          if (isRunning) sum += after;
          clock = isStart ? startClock(clock, at) : stopClock(clock, at);
          isRunning = isStart;
          expect(getConnectedMs(clock, at)).toBe(sum);
        }
      }),
    );
  });

  it('never runs backwards', () => {
    expect(getConnectedMs(startClock(IDLE_CLOCK, 5_000), 4_000)).toBe(0);
    expect(stopClock(startClock(IDLE_CLOCK, 5_000), 4_000)).toEqual({ connectedMs: 0, runningSince: null });
  });

  it('returns the longest duration that an amount of money pays for', () => {
    fc.assert(
      fc.property(fc.nat({ max: 100_000 }), fc.integer({ min: 100, max: 5_000 }), (cents, rate) => {
        const seconds = calculateAffordableSeconds(cents, rate);
        expect(calculateCallPrice(seconds, rate)).toBeLessThanOrEqual(cents);
        expect(calculateCallPrice(seconds + 1, rate)).toBeGreaterThan(cents);
      }),
    );
  });
});
