import { formatMinute } from '@stagedoor/contract/shared/times.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { toApiError } from './api-error.ts';
import { calculatePeriodEnd, localizeMessage, localizeTimes } from './local-message.ts';
import { setRequestZone } from './time-zone.ts';

const setZone = (zone: string) => setRequestZone(() => zone);
afterAll(() => setZone('UTC'));

test.each([
  ['day', '2026-11-30T23:59:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['week', '2026-11-30T00:00:00.000Z', '2026-12-07T00:00:00.000Z'],
  ['week', '2026-12-06T23:59:00.000Z', '2026-12-07T00:00:00.000Z'],
  ['month', '2026-12-31T12:00:00.000Z', '2027-01-01T00:00:00.000Z'],
] as const)('the %s of %s ends at %s', (period, now, end) =>
  expect(calculatePeriodEnd(period, new Date(now)).toISOString()).toBe(end),
);

describe('a message of the server', () => {
  const body = {
    code: 'FORBIDDEN',
    message: 'It resets at midnight UTC.',
    localMessage: { text: 'Next reset: {time}.', endOf: 'day' },
  } as const;

  test.each([
    ['America/New_York', 'Next reset: Today, 19:00.'],
    ['Asia/Kolkata', 'Next reset: Tomorrow, 05:30.'],
    ['UTC', 'Next reset: Tomorrow, 00:00 UTC.'],
  ])('says in %s when a limit resets', (zone, expected) => {
    setZone(zone);
    expect(localizeMessage(body, new Date('2026-11-30T12:00:00.000Z'))).toBe(expected);
    expect(toApiError(403, body).message).toMatch(/^Next reset: (Today|Tomorrow), /);
  });

  test('shows its times in the zone of the reader', () => {
    setZone('America/New_York');
    const message = `Spending is paused until ${formatMinute(new Date('2026-12-01T02:30:00.000Z'))}.`;
    expect(localizeTimes(message)).toBe('Spending is paused until 30 Nov 2026, 21:30.');
    expect(toApiError(403, { code: 'FORBIDDEN', message }).message).toBe(localizeTimes(message));
    setZone('UTC');
    expect(localizeTimes(message)).toBe('Spending is paused until 1 Dec 2026, 02:30 UTC.');
  });
});
