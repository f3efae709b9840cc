import type { Verification } from '@stagedoor/contract/compliance/verification.ts';
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';
import { expect, test } from 'vitest';
import { chooseDecision, listRejected } from './admin/decision.tsx';
import { calculateAge } from './admin/verification-record.tsx';
import {
  type GrayscaleImage,
  getAdvice,
  getVisiblePart,
  INITIAL_ADVICE,
  measureFrame,
  smoothAdvice,
  toGrayscale,
} from './frame-advice.ts';
import { listStatusItems } from './review-status.tsx';
import {
  extendStroke,
  type SignaturePoint,
  type Strokes,
  startStroke,
  toSignaturePath,
  toSignaturePoint,
} from './signature.ts';
import { countBusinessDaysBetween, formatAnswerTime, getStatusTitle, toDeadline } from './verification-labels.ts';

const [WIDTH, HEIGHT] = [64, 48];
const createFrame = (valueAt: (x: number, y: number) => number): GrayscaleImage => ({
  pixels: Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) => valueAt(index % WIDTH, Math.floor(index / WIDTH))),
  width: WIDTH,
  height: HEIGHT,
});
const getPattern = (x: number, y: number) => (Math.floor(x / 2) % 2 === Math.floor(y / 2) % 2 ? 90 : 170);
const rate = (now: GrayscaleImage, before?: GrayscaleImage) => getAdvice(measureFrame(now, before), 'card');

test('a frame is rated as dark, bright, glare, moving, blurred or good', () => {
  const card = createFrame(getPattern);
  expect(rate(card, card)).toBe('good');
  expect(rate(createFrame((x, y) => getPattern(x, y) / 8))).toBe('dark');
  expect(rate(createFrame(() => 240))).toBe('bright');
  const glaring = createFrame((x, y) => (x < 16 && y < 24 ? 255 : getPattern(x, y)));
  expect(rate(glaring, glaring)).toBe('glare');
  expect(getAdvice(measureFrame(glaring, glaring), 'face'), 'a window behind a face is none').toBe('good');
  expect(
    rate(
      card,
      createFrame((x, y) => getPattern(x + 2, y)),
    ),
  ).toBe('moving');
  const soft = createFrame((x) => 100 + x);
  expect(rate(soft, soft)).toBe('blurred');
});

test('grayscale values weight the colours as human vision does', () => {
  const { pixels } = toGrayscale(new Uint8ClampedArray([255, 255, 255, 255, 0, 255, 0, 255, 0, 0, 255, 255]), 3, 1);
  expect([...pixels]).toEqual([255, 150, 29]);
});

test('the shown advice changes after about one second of equal results', () => {
  const results = ['good', 'good', 'moving', 'good', 'good', 'good', 'good'] as const;
  const shown = results.map((_, index) => results.slice(0, index + 1).reduce(smoothAdvice, INITIAL_ADVICE).shown);
  expect(shown).toEqual([...Array(6).fill('looking'), 'good']);
});

test('only the visible part of the frame is rated', () => {
  expect(getVisiblePart({ width: 1920, height: 1080 }, { width: 400, height: 300 }, 0)).toEqual({
    x: 240,
    y: 0,
    width: 1440,
    height: 1080,
  });
  expect(getVisiblePart({ width: 1080, height: 1920 }, { width: 400, height: 300 }, 0.1)).toMatchObject({
    width: 864,
    x: 108,
  });
});

test('a signature stays within the canvas and the limits of the contract', () => {
  const box = { left: 10, top: 20, width: 500, height: 150 };
  expect(toSignaturePoint({ clientX: 260, clientY: 95 }, box)).toEqual([500, 150]);
  expect(toSignaturePoint({ clientX: -90, clientY: 900 }, box)).toEqual([0, 300]);
  const one = extendStroke(extendStroke(startStroke([], [0, 0]), [1, 1]), [40, 30]);
  expect(one, 'what is too near says nothing').toEqual([
    [
      [0, 0],
      [40, 30],
    ],
  ]);
  expect(extendStroke([], [1, 1])).toEqual([]);
  let many: Strokes = [];
  const at = (index: number): SignaturePoint => [(index * 7) % 1_000, (index * 13) % 300];
  for (let index = 0; index < VERIFICATION_LIMITS.points + 50; index += 1)
    many = index % 20 === 0 ? startStroke(many, at(index)) : extendStroke(many, at(index));
  expect(many.length).toBeLessThanOrEqual(VERIFICATION_LIMITS.strokes);
  expect(many.flat().length).toBeLessThanOrEqual(VERIFICATION_LIMITS.points);
  expect(toSignaturePath([[5, 6]])).toBe('M5 6h.1');
  expect(
    toSignaturePath([
      [0, 0],
      [10, 10],
      [20, 0],
    ]),
  ).toBe('M0 0Q10 10 15 5L20 0');
});

const FRIDAY = '2025-11-21T21:08:00.000Z';
const TUESDAY = '2025-11-25T21:08:00.000Z';

test('the remaining time is shown in business days, then in hours, then as overdue', () => {
  expect(countBusinessDaysBetween(FRIDAY, TUESDAY)).toBe(2);
  expect(toDeadline(TUESDAY, FRIDAY)).toEqual({ tone: 'on', label: '2 business days left' });
  expect(toDeadline(TUESDAY, '2025-11-24T08:00:00.000Z')).toEqual({ tone: 'busy', label: '1 business day left' });
  expect(toDeadline(TUESDAY, '2025-11-25T15:00:00.000Z')).toEqual({ tone: 'busy', label: '6 h left' });
  expect(toDeadline(TUESDAY, '2025-11-25T22:30:00.000Z')).toEqual({ tone: 'danger', label: '1 h overdue' });
  expect(toDeadline(TUESDAY, '2025-12-01T09:00:00.000Z')).toEqual({ tone: 'danger', label: '3 business days overdue' });
  // Thanksgiving is not a business day, as on the server.
  expect(toDeadline('2026-11-27T00:10:00.000Z', '2026-11-24T00:10:00.000Z').label).toBe('2 business days left');
  expect(formatAnswerTime(TUESDAY, FRIDAY)).toBe('We’ll let you know by Tuesday 25 Nov, here and by email.');
  expect(formatAnswerTime(TUESDAY, '2025-11-24T15:00:00.000Z')).toBe(
    'We’ll let you know by tomorrow, here and by email.',
  );
  expect(formatAnswerTime(TUESDAY, '2025-11-25T15:00:00.000Z')).toBe('We’ll let you know today, here and by email.');
  expect(formatAnswerTime(TUESDAY, '2025-11-26T15:00:00.000Z')).toContain('longer than expected');
});

const failed: Verification = {
  status: 'failed',
  message: null,
  legalStatus: 'accepted',
  details: { legalName: 'A', dateOfBirth: '1993-06-14', country: 'NL', documentType: 'drivingLicence' },
  documents: [
    { kind: 'idFront', state: 'approved', uploadedAt: FRIDAY, reason: null },
    { kind: 'idBack', state: 'rejected', uploadedAt: FRIDAY, reason: 'Glare' },
    { kind: 'selfie', state: 'approved', uploadedAt: FRIDAY, reason: null },
  ],
  agreement: { version: '2026-11-01', signedVersion: '2026-11-01', signedAt: FRIDAY },
  submittedAt: FRIDAY,
  answerBy: TUESDAY,
  decidedAt: TUESDAY,
};

test('a decision names the items to redo and the accepted ones', () => {
  expect(listStatusItems(failed, TUESDAY).map(({ name, end }) => `${name}: ${end}`)).toEqual([
    'Details: Accepted',
    'Driver’s license, front: Accepted',
    'Driver’s license, back: Retake',
    'Selfie: Accepted',
    'Agreement signed: Accepted',
  ]);
  expect(getStatusTitle(failed)).toBe('One photo to retake');
  expect(getStatusTitle({ ...failed, status: 'declined' })).toBe('We can’t accept this license');
  expect(getStatusTitle({ ...failed, status: 'verified', legalStatus: 'outdated' })).toBe('Sign the creator agreement');
  const outdated = listStatusItems({ ...failed, legalStatus: 'outdated' }, TUESDAY).at(-1);
  expect(outdated).toMatchObject({ state: 'open', end: 'New version to sign' });
});

test('a decision sends the rejected items, and choosing another decision clears the reasons', () => {
  const draft = { decision: 'fail', reasons: { idBack: ' Glare ', selfie: 'Dark' } } as const;
  expect(listRejected(draft, ['idFront', 'idBack'])).toEqual([{ kind: 'idBack', reason: 'Glare' }]);
  expect(listRejected({ ...draft, decision: 'verify' }, ['idBack'])).toEqual([]);
  expect(chooseDecision(draft, 'decline')).toEqual({ decision: 'decline', reasons: {} });
  expect(calculateAge('2025-06-13T23:00:00.000Z', '1993-06-14')).toBe(31);
  expect(calculateAge('2025-06-14T00:00:00.000Z', '1993-06-14')).toBe(32);
});
