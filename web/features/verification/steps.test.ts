import type { DocumentKind, DocumentState, VerificationDetails } from '@stagedoor/contract/verification.ts';
import { expect, test } from 'vitest';
import { isComplete, nextStep, placeBefore, placeOf, type Standing, stepsOf } from './steps.ts';

const BEFORE = '2025-11-20T09:00:00.000Z';
const DECIDED = '2025-11-21T09:00:00.000Z';
const AFTER = '2025-11-21T10:00:00.000Z';

const details: VerificationDetails = {
  legalName: 'Mirele Adaeze Okonkwo',
  dateOfBirth: '1993-06-14',
  country: 'NL',
  documentType: 'identityCard',
};
const picture = (kind: DocumentKind, state: DocumentState, takenAt: string | null = BEFORE) => ({
  kind,
  state,
  takenAt,
  reason: null,
});
const begun: Standing = { status: 'started', details: null, documents: [], legalStatus: 'pending', decidedAt: null };
const withDetails: Standing = {
  ...begun,
  details,
  documents: [
    picture('idFront', 'pending', null),
    picture('idBack', 'pending', null),
    picture('selfie', 'pending', null),
  ],
};
const failed: Standing = {
  status: 'failed',
  details,
  documents: [picture('idFront', 'approved'), picture('idBack', 'rejected'), picture('selfie', 'approved')],
  legalStatus: 'accepted',
  decidedAt: DECIDED,
};

test('a passport has no step for a back side', () => {
  expect(stepsOf(begun)).toEqual(['details', 'idFront', 'idBack', 'selfie', 'agreement']);
  const passport = { details: { ...details, documentType: 'passport' as const } };
  expect(stepsOf(passport)).toEqual(['details', 'idFront', 'selfie', 'agreement']);
});

test('before submission an address leads to any step up to the first incomplete one', () => {
  expect(placeOf(begun, null)).toBe('details');
  expect(placeOf(begun, 'agreement')).toBe('details');
  expect(placeOf(withDetails, 'selfie')).toBe('idFront');
  expect(placeOf(withDetails, 'details')).toBe('details');
  expect(placeOf(withDetails, '../../etc')).toBe('idFront');
  const front = picture('idFront', 'pending');
  const half = { ...withDetails, documents: [front, ...withDetails.documents.slice(1)] };
  expect(nextStep(half)).toBe('idBack');
  expect(placeOf(half, 'idFront'), 'it may be taken again').toBe('idFront');
  expect(placeBefore(half, 'idBack')).toBe('idFront');
  expect(placeBefore(half, 'details')).toBeUndefined();
});

test('nothing can be changed under review, and a verified creator can only sign a new agreement', () => {
  for (const asked of [null, 'details', 'idBack', 'agreement'])
    expect(placeOf({ ...failed, status: 'submitted' }, asked)).toBe('verdict');
  const verified: Standing = { ...failed, status: 'verified' };
  expect(placeOf(verified, 'agreement')).toBe('verdict');
  const outdated: Standing = { ...verified, legalStatus: 'outdated' };
  expect(placeOf(outdated, null)).toBe('verdict');
  expect(placeOf(outdated, 'agreement')).toBe('agreement');
  expect(placeOf(outdated, 'idFront')).toBe('verdict');
});

test('after a refusal only rejected items are requested again, and the last step submits', () => {
  expect(placeOf(failed, null)).toBe('verdict');
  expect(placeOf(failed, 'idBack')).toBe('idBack');
  for (const kept of ['idFront', 'selfie', 'agreement']) expect(placeOf(failed, kept), kept).toBe('verdict');
  expect(placeOf(failed, 'details'), 'another document may be chosen').toBe('details');
  expect(isComplete(failed)).toBe(false);
  const [front, , selfie] = failed.documents;
  if (!front || !selfie) throw new Error('there are three pictures');
  const mended = { ...failed, documents: [front, picture('idBack', 'pending', AFTER), selfie] };
  expect(nextStep(mended)).toBe('agreement');
  expect(isComplete(mended)).toBe(true);
  expect(placeOf(mended, 'agreement')).toBe('agreement');
  expect(placeOf(mended, 'idBack'), 'taken since').toBe('idBack');
  expect(placeBefore(mended, 'idBack')).toBe('verdict');
});
