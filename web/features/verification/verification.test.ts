import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';
import type { Verification } from '@stagedoor/contract/verification.ts';
import { expect, test } from 'vitest';
import { ageOn } from './desk/case.tsx';
import { decided, rejectedOf } from './desk/decision.tsx';
import { adviceOf, type Grey, greyOf, LOOKING, measure, steadied, visiblePart } from './guidance.ts';
import { begun, drawn, type Point, pathOf, pointOf, type Strokes } from './signature.ts';
import { linesOf } from './verdict.tsx';
import { businessDaysBetween, clockOf, promiseOf, verdictTitle } from './words.ts';

const [WIDTH, HEIGHT] = [64, 48];
const frame = (valueAt: (x: number, y: number) => number): Grey => ({
  pixels: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) => valueAt(index % WIDTH, Math.floor(index / WIDTH))),
  width: WIDTH,
  height: HEIGHT,
});
const print = (x: number, y: number) => (Math.floor(x / 2) % 2 === Math.floor(y / 2) % 2 ? 90 : 170);
const advice = (now: Grey, before?: Grey) => adviceOf(measure(now, before), 'card');

test('a frame is rated as dark, bright, glare, moving, blurred or good', () => {
  const card = frame(print);
  expect(advice(card, card)).toBe('good');
  expect(advice(frame((x, y) => print(x, y) / 8))).toBe('dark');
  expect(advice(frame(() => 240))).toBe('bright');
  const shining = frame((x, y) => (x < 16 && y < 24 ? 255 : print(x, y)));
  expect(advice(shining, shining)).toBe('glare');
  expect(adviceOf(measure(shining, shining), 'face'), 'a window behind a face is none').toBe('good');
  expect(
    advice(
      card,
      frame((x, y) => print(x + 2, y)),
    ),
  ).toBe('moving');
  const soft = frame((x) => 100 + x);
  expect(advice(soft, soft)).toBe('blurred');
});

test('grayscale values weight the colours as human vision does', () => {
  const { pixels } = greyOf(new Uint8ClampedArray([255, 255, 255, 255, 0, 255, 0, 255, 0, 0, 255, 255]), 3, 1);
  expect([...pixels]).toEqual([255, 150, 29]);
});

test('the shown advice changes after about one second of equal results', () => {
  const looks = ['good', 'good', 'moving', 'good', 'good', 'good', 'good'] as const;
  const said = looks.map((_, index) => looks.slice(0, index + 1).reduce(steadied, LOOKING).said);
  expect(said).toEqual([...Array(6).fill('looking'), 'good']);
});

test('only the visible part of the frame is rated', () => {
  expect(visiblePart({ width: 1920, height: 1080 }, { width: 400, height: 300 }, 0)).toEqual({
    x: 240,
    y: 0,
    width: 1440,
    height: 1080,
  });
  expect(visiblePart({ width: 1080, height: 1920 }, { width: 400, height: 300 }, 0.1)).toMatchObject({
    width: 864,
    x: 108,
  });
});

test('a signature stays within the canvas and the limits of the contract', () => {
  const box = { left: 10, top: 20, width: 500, height: 150 };
  expect(pointOf({ clientX: 260, clientY: 95 }, box)).toEqual([500, 150]);
  expect(pointOf({ clientX: -90, clientY: 900 }, box)).toEqual([0, 300]);
  const one = drawn(drawn(begun([], [0, 0]), [1, 1]), [40, 30]);
  expect(one, 'what is too near says nothing').toEqual([
    [
      [0, 0],
      [40, 30],
    ],
  ]);
  expect(drawn([], [1, 1])).toEqual([]);
  let many: Strokes = [];
  const at = (index: number): Point => [(index * 7) % 1_000, (index * 13) % 300];
  for (let index = 0; index < VERIFICATION.points + 50; index += 1)
    many = index % 20 === 0 ? begun(many, at(index)) : drawn(many, at(index));
  expect(many.length).toBeLessThanOrEqual(VERIFICATION.strokes);
  expect(many.flat().length).toBeLessThanOrEqual(VERIFICATION.points);
  expect(pathOf([[5, 6]])).toBe('M5 6h.1');
  expect(
    pathOf([
      [0, 0],
      [10, 10],
      [20, 0],
    ]),
  ).toBe('M0 0Q10 10 15 5L20 0');
});

const FRIDAY = '2025-11-21T21:08:00.000Z';
const TUESDAY = '2025-11-25T21:08:00.000Z';

test('the remaining time is shown in business days, then in hours, then as overdue', () => {
  expect(businessDaysBetween(FRIDAY, TUESDAY)).toBe(2);
  expect(clockOf(TUESDAY, FRIDAY)).toEqual({ lamp: 'on', words: '2 business days left' });
  expect(clockOf(TUESDAY, '2025-11-24T08:00:00.000Z')).toEqual({ lamp: 'busy', words: '1 business day left' });
  expect(clockOf(TUESDAY, '2025-11-25T15:00:00.000Z')).toEqual({ lamp: 'busy', words: '6 h left' });
  expect(clockOf(TUESDAY, '2025-11-25T22:30:00.000Z')).toEqual({ lamp: 'danger', words: '1 h overdue' });
  expect(clockOf(TUESDAY, '2025-12-01T09:00:00.000Z')).toEqual({ lamp: 'danger', words: '3 business days overdue' });
  // Thanksgiving is not a business day, as on the server.
  expect(clockOf('2026-11-27T00:10:00.000Z', '2026-11-24T00:10:00.000Z').words).toBe('2 business days left');
  expect(promiseOf(TUESDAY, FRIDAY)).toBe('We’ll let you know by Tuesday 25 Nov, here and by email.');
  expect(promiseOf(TUESDAY, '2025-11-25T15:00:00.000Z')).toBe('We’ll let you know today, here and by email.');
  expect(promiseOf(TUESDAY, '2025-11-26T15:00:00.000Z')).toContain('longer than expected');
});

const failed: Verification = {
  status: 'failed',
  message: null,
  legalStatus: 'accepted',
  details: { legalName: 'A', dateOfBirth: '1993-06-14', country: 'NL', documentType: 'drivingLicence' },
  documents: [
    { kind: 'idFront', state: 'approved', takenAt: FRIDAY, reason: null },
    { kind: 'idBack', state: 'rejected', takenAt: FRIDAY, reason: 'Glare' },
    { kind: 'selfie', state: 'approved', takenAt: FRIDAY, reason: null },
  ],
  agreement: { version: '2026-11-01', signedVersion: '2026-11-01', signedAt: FRIDAY },
  submittedAt: FRIDAY,
  answerBy: TUESDAY,
  decidedAt: TUESDAY,
};

test('a decision names the items to redo and the accepted ones', () => {
  expect(linesOf(failed, TUESDAY).map(({ name, end }) => `${name}: ${end}`)).toEqual([
    'Details: Accepted',
    'Driver’s license, front: Accepted',
    'Driver’s license, back: Retake',
    'Selfie: Accepted',
    'Agreement signed: Accepted',
  ]);
  expect(verdictTitle(failed)).toBe('One photo to retake');
  expect(verdictTitle({ ...failed, status: 'declined' })).toBe('We can’t accept this license');
  expect(verdictTitle({ ...failed, status: 'verified', legalStatus: 'outdated' })).toBe('Sign the creator agreement');
  const outdated = linesOf({ ...failed, legalStatus: 'outdated' }, TUESDAY).at(-1);
  expect(outdated).toMatchObject({ state: 'open', end: 'New version to sign' });
});

test('a decision sends the rejected items, and choosing another decision clears the reasons', () => {
  const draft = { decision: 'fail', reasons: { idBack: ' Glare ', selfie: 'Dark' } } as const;
  expect(rejectedOf(draft, ['idFront', 'idBack'])).toEqual([{ kind: 'idBack', reason: 'Glare' }]);
  expect(rejectedOf({ ...draft, decision: 'verify' }, ['idBack'])).toEqual([]);
  expect(decided(draft, 'decline')).toEqual({ decision: 'decline', reasons: {} });
  expect(ageOn('2025-06-13T23:00:00.000Z', '1993-06-14')).toBe(31);
  expect(ageOn('2025-06-14T00:00:00.000Z', '1993-06-14')).toBe(32);
});
