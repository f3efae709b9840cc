import { callSettings } from '@stagedoor/contract/calls.ts';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { draftOf, errorsOf, settingsOf } from './settings-draft.ts';

const settings = z.parse(callSettings, {
  isAvailable: true,
  videoRate: 2,
  audioRate: null,
  shortestMinutes: 3,
  hours: [{ day: 1, from: '18:00', to: '24:00' }],
  timeZone: 'Europe/Lisbon',
});

test('what is not changed is sent as it came', () => {
  expect(errorsOf(draftOf(settings))).toEqual({});
  expect(settingsOf(draftOf(settings))).toEqual(settings);
});

test('prices beyond the limits, no length, and hours over each other are complained of', () => {
  const draft = { ...draftOf(settings), videoRate: '0.5', audioRate: '51', shortestMinutes: Number.NaN };
  expect(
    Object.keys(errorsOf({ ...draft, hours: [...settings.hours, { day: 1, from: '20:00', to: '21:00' }] })),
  ).toEqual(['videoRate', 'audioRate', 'shortestMinutes', 'hours']);
  expect(errorsOf({ ...draftOf(settings), hours: [{ day: 2, from: '20:00', to: '19:00' }] })).toHaveProperty('hours');
  expect(
    errorsOf({ ...draftOf(settings), hours: [...settings.hours, { day: 2, from: '18:00', to: '19:00' }] }),
  ).toEqual({});
});
