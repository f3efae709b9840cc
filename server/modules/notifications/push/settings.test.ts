import { SAME_TIME_MESSAGE } from '@stagedoor/contract/notifications/push.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../testing/app.ts';
import { findQuietEnd, isQuiet } from './settings.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

test('quiet hours that end when they begin are refused, also when set one after the other', async () => {
  const fan = await app.signUp('customer');
  const change = async (body: object) => (await fan.inject('PUT', '/api/notifications/settings', body)).json();
  const refused = { code: 'VALIDATION', error: [{ field: 'quietUntil', message: SAME_TIME_MESSAGE }] };
  expect(await change({ quietFrom: '23:00', quietUntil: '23:00' })).toMatchObject(refused);
  expect(await change({ quietFrom: '23:00', quietUntil: '07:00' })).toMatchObject({ quietFrom: '23:00' });
  expect(await change({ quietFrom: '07:00' })).toMatchObject(refused);
  expect(await change({ quietUntil: '23:00' })).toMatchObject(refused);
  expect(await change({ quietFrom: null, quietUntil: null })).toMatchObject({ quietFrom: null, quietUntil: null });
});

test('two changes at once cannot make quiet hours end when they begin', async () => {
  const fan = await app.signUp('customer');
  const change = (body: object) => fan.inject('PUT', '/api/notifications/settings', body);
  await change({ quietFrom: '23:00', quietUntil: '07:00' });
  const responses = await Promise.all([change({ quietFrom: '10:00' }), change({ quietUntil: '10:00' })]);
  expect(responses.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400]);
});

test('quiet hours follow the local time, also when daylight saving time begins or ends', () => {
  const night = { quietFrom: '22:00', quietUntil: '07:00', timeZone: 'Europe/Berlin' };
  const at = (instant: string) => isQuiet(night, new Date(instant));
  // Clocks go forward on 29 March 2026, so 07:00 is an hour earlier than the day before.
  expect([at('2026-03-28T05:59:00Z'), at('2026-03-28T06:00:00Z')]).toEqual([true, false]);
  expect([at('2026-03-29T04:59:00Z'), at('2026-03-29T05:00:00Z')]).toEqual([true, false]);
  expect([at('2026-10-24T05:00:00Z'), at('2026-10-25T05:59:00Z'), at('2026-10-25T06:00:00Z')]).toEqual([
    false,
    true,
    false,
  ]);
  // Of hours that the clocks skip, the rest counts. Hours that occur twice count twice.
  const skipped = { quietFrom: '02:00', quietUntil: '03:00', timeZone: 'Europe/Berlin' };
  expect(isQuiet(skipped, new Date('2026-03-29T01:00:00Z'))).toBe(false);
  for (const twice of ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'])
    expect(isQuiet(skipped, new Date(twice))).toBe(true);
  expect(isQuiet({ ...night, quietUntil: null }, new Date('2026-03-28T23:00:00Z'))).toBe(false);
  const end = (instant: string) => findQuietEnd(night, new Date(instant)).toISOString();
  expect(end('2026-03-27T21:00:30.500Z')).toBe('2026-03-28T06:00:00.000Z');
  expect(end('2026-03-28T05:59:59.999Z')).toBe('2026-03-28T06:00:00.000Z');
  expect(end('2026-10-24T22:00:00Z')).toBe('2026-10-25T06:00:00.000Z');
  expect(isQuiet(night, new Date(end('2026-03-28T22:00:00Z')))).toBe(false);
});
