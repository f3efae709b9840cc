import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../../../../testing/app.ts';
import { SAMPLE_CALL_SETTINGS } from '../simulation.ts';
import { createCallPair } from '../testing.ts';
import { findNextOpening, isOpenAt } from './hours.ts';

const evening = [{ day: 0, from: '01:30', to: '24:00' }];
const berlin = (text: string) => isOpenAt(evening, 'Europe/Berlin', new Date(text));

describe('call hours', () => {
  it('follow the creator’s local days', () => {
    // This is a Sunday. Berlin is one hour ahead of UTC in winter and two in summer.
    expect([berlin('2026-01-04T00:29:59Z'), berlin('2026-01-04T00:30:00Z')]).toEqual([false, true]);
    expect([berlin('2026-07-04T23:30:00Z'), berlin('2026-07-05T21:59:59Z'), berlin('2026-07-05T22:00:00Z')]).toEqual([
      ...[true, true, false],
    ]);
    expect(isOpenAt([], 'UTC', new Date())).toBe(true);
  });

  it('open next at the right instant when daylight saving time skips or repeats an hour', () => {
    const opens = (hours: typeof evening, at: string) =>
      findNextOpening(hours, 'Europe/Berlin', new Date(at))?.toISOString();
    const halfHours = [{ day: 0, from: '02:30', to: '06:00' }];
    expect(opens(halfHours, '2026-03-28T12:00:00Z')).toBe('2026-03-29T01:30:00.000Z');
    expect(opens(halfHours, '2026-10-24T12:00:00Z')).toBe('2026-10-25T00:30:00.000Z');
    expect(opens(evening, '2026-01-04T12:00:00Z')).toBe('2026-01-11T00:30:00.000Z');
    expect(findNextOpening([], 'UTC', new Date())).toBeUndefined();
  });

  it.each([
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', '02:30', '06:00', '2026-03-29T01:30:00.000Z', '2026-03-29T04:00:00.000Z'],
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', '01:00', '02:30', '2026-03-29T00:00:00.000Z', '2026-03-29T01:30:00.000Z'],
    // These hours do not exist on the day of the change, so the next opening is a week later.
    ['2026-03-28T12:00:00Z', 'Europe/Berlin', '02:30', '03:00', '2026-04-05T00:30:00.000Z', '2026-04-05T01:00:00.000Z'],
    ['2026-10-24T12:00:00Z', 'Europe/Berlin', '02:30', '04:00', '2026-10-25T00:30:00.000Z', '2026-10-25T03:00:00.000Z'],
    [
      '2026-10-31T12:00:00Z',
      'America/New_York',
      '01:30',
      '03:00',
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T08:00:00.000Z',
    ],
  ])(
    'from %s in %s on Sundays from %s to %s open at the announced instant and close once',
    (at, zone, from, to, opensAt, closesAt) => {
      const hours = [{ day: 0, from, to }];
      expect(findNextOpening(hours, zone, new Date(at))?.toISOString()).toBe(opensAt);
      const isOpen = (instant: string, ms: number) => isOpenAt(hours, zone, new Date(Date.parse(instant) + ms));
      expect([isOpen(opensAt, -1), isOpen(opensAt, 0), isOpen(closesAt, -1), isOpen(closesAt, 0)]).toEqual([
        ...[false, true, true, false],
      ]);
      for (let time = Date.parse(opensAt); time < Date.parse(closesAt); time += 60_000)
        expect(isOpenAt(hours, zone, new Date(time))).toBe(true);
    },
  );
});

describe('call settings', () => {
  let app: TestApp;
  let creator: TestUser;
  beforeAll(async () => {
    app = await createTestApp({ now: new Date('2026-01-05T12:00:00Z') });
    creator = await app.signUp('creator');
  });
  afterAll(() => app.close());
  const saveSettings = (changes: object) =>
    creator.inject('PUT', '/api/creator/call-settings', { ...SAMPLE_CALL_SETTINGS, ...changes });

  it('refuse invalid prices, hours, time zones and lengths', async () => {
    for (const [changes, field] of [
      [{ videoRate: 0.99 }, 'videoRate'],
      [{ audioRate: 50.01 }, 'audioRate'],
      [{ minMinutes: 31 }, 'minMinutes'],
      [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
      [{ hours: [{ day: 7, from: '10:00', to: '12:00' }] }, 'hours.0.day'],
      [{ hours: [{ day: 1, from: '12:00', to: '12:00' }] }, 'hours.0.to'],
    ] as const)
      expect((await saveSettings(changes)).json()).toMatchObject({ code: 'VALIDATION', error: [{ field }] });
  });

  it('are public, and cards show the price of the call button', async () => {
    const shown = async () => (await app.inject('GET', `/api/public/call-terms/${creator.id}`)).json();
    const card = async () => {
      await app.ctx.events.waitUntilIdle();
      return (await app.inject('GET', `/api/public/profile/${creator.id}`)).json().callRate;
    };
    expect(await shown()).toMatchObject({
      videoRate: null,
      audioRate: null,
      unavailableReason: 'off',
      affordable: null,
    });
    await saveSettings({ hours: [{ day: 1, from: '13:00', to: '14:00' }] });
    const hours = [{ day: 1, from: '13:00', to: '14:00' }];
    expect(await shown()).toMatchObject({
      videoRate: 3,
      unavailableReason: 'closed',
      opensAt: '2026-01-05T13:00:00.000Z',
      hours,
    });
    await saveSettings({ hours, timeZone: 'Asia/Kolkata' });
    expect(await shown()).toMatchObject({ hours, hoursOffset: 330 });
    expect(JSON.stringify(await shown())).not.toContain('Kolkata');
    await saveSettings({ hours });
    expect(await card()).toBe(3);
    await saveSettings({ videoRate: null });
    expect(await card()).toBe(2);
    await saveSettings({ audioRate: null });
    expect(await card()).toBe(3);
    expect(await shown()).toMatchObject({ audioRate: null, unavailableReason: 'offline' });
    const off = await creator.inject('PUT', '/api/creator/call-availability', { isAvailable: false });
    expect(off.json()).toEqual({ ...SAMPLE_CALL_SETTINGS, audioRate: null, isAvailable: false });
    expect(await shown()).toMatchObject({ unavailableReason: 'off', hours: [] });
    expect(await card()).toBeNull();
  });

  it('are emitted to viewers of the creator when they change', async () => {
    await app.ctx.events.waitUntilIdle();
    const emitSpy = vi.spyOn(app.ctx.realtime, 'emitToRoom');
    await saveSettings({ videoRate: 4.5, audioRate: null });
    await app.ctx.events.waitUntilIdle();
    const emitted = emitSpy.mock.calls.filter(([, event]) => event.name === 'CALL_TERMS_CHANGED');
    expect(emitted.map(([watchers, , payload]) => [watchers, payload])).toEqual([
      [`presence:${creator.id}`, { creatorId: creator.id, videoRate: 4.5, audioRate: null }],
    ]);
    emitSpy.mockRestore();
    await saveSettings({});
  });

  it('show a fan how long their funds last', async () => {
    const pair = await createCallPair(app, { cents: 1_000 });
    const shown = await pair.fan.inject('GET', `/api/public/call-terms/${pair.creator.id}`);
    expect(shown.json()).toMatchObject({
      unavailableReason: null,
      affordable: { videoSeconds: 200, audioSeconds: 300 },
    });
  });
});
