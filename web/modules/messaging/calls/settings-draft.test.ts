import { callSettings } from '@stagedoor/contract/messaging/calls.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type CallSettingsDraft, findSettingsErrors, toCallSettings, toSettingsDraft } from './settings-draft.ts';

const settings = z.parse(callSettings, {
  isAvailable: true,
  videoRate: 2,
  audioRate: null,
  minMinutes: 3,
  hours: [{ day: 1, from: '18:00', to: '24:00' }],
  timeZone: 'Europe/Lisbon',
  callerRule: 'everyone',
  callerTierId: null,
});

const LIMIT = { min: 1, max: 50 };
const findErrors = (draft: CallSettingsDraft) => findSettingsErrors(draft, LIMIT, settings);

test('unchanged settings are sent as they were loaded', () => {
  expect(findErrors(toSettingsDraft(settings))).toEqual({});
  expect(toCallSettings(toSettingsDraft(settings))).toEqual(settings);
});

test('prices outside the limits, a missing length and overlapping hours are reported as errors', () => {
  const draft = { ...toSettingsDraft(settings), videoRate: '0.5', audioRate: '51', minMinutes: '' };
  expect(
    Object.keys(findErrors({ ...draft, hours: [...settings.hours, { day: 1, from: '20:00', to: '21:00' }] })),
  ).toEqual(['videoRate', 'audioRate', 'minMinutes', 'hours']);
  expect(
    findErrors({ ...toSettingsDraft(settings), hours: [...settings.hours, { day: 2, from: '18:00', to: '19:00' }] }),
  ).toEqual({});
});

test('an unchanged rate stays valid after the limits changed', () => {
  const limit = { min: 3, max: 10 };
  expect(findSettingsErrors(toSettingsDraft(settings), limit, settings)).toEqual({});
  expect(findSettingsErrors({ ...toSettingsDraft(settings), videoRate: '2.50' }, limit, settings)).toEqual({
    videoRate: 'From $3.00 to $10.00 per minute',
  });
});

test('a typed minimum stays as it is typed, in digits of all scripts, and what is no whole number is refused', () => {
  const draft = toSettingsDraft(settings);
  for (const [typed, minMinutes] of [
    ['٥', 5],
    ['५', 5],
    [' 12 ', 12],
  ] as const) {
    expect(findErrors({ ...draft, minMinutes: typed })).toEqual({});
    expect(toCallSettings({ ...draft, minMinutes: typed })).toEqual({ ...settings, minMinutes });
  }
  for (const typed of ['1e', '1e1', '2.5', '-3', '31', '0', 'x'])
    expect(findErrors({ ...draft, minMinutes: typed })).toEqual({ minMinutes: 'From 1 to 30 minutes' });
});

test.each(['12.345', '1e3', '', 'x'])('a rate of %j is refused as an amount, not for its limits', (videoRate) =>
  expect(findErrors({ ...toSettingsDraft(settings), videoRate })).toEqual({ videoRate: 'Please enter valid amount' }),
);
