import type { DocumentKind, DocumentState, VerificationDetails } from '@stagedoor/contract/compliance/verification.ts';
import { expect, test } from 'vitest';
import {
  findPreviousPage,
  getNextStep,
  getPage,
  isReadyToSubmit,
  listSteps,
  type VerificationProgress,
} from './steps.ts';

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
  uploadedAt: takenAt,
  reason: null,
});
const started: VerificationProgress = {
  status: 'started',
  details: null,
  documents: [],
  legalStatus: 'pending',
  decidedAt: null,
};
const withDetails: VerificationProgress = {
  ...started,
  details,
  documents: [
    picture('idFront', 'pending', null),
    picture('idBack', 'pending', null),
    picture('selfie', 'pending', null),
  ],
};
const failed: VerificationProgress = {
  status: 'failed',
  details,
  documents: [picture('idFront', 'approved'), picture('idBack', 'rejected'), picture('selfie', 'approved')],
  legalStatus: 'accepted',
  decidedAt: DECIDED,
};

test('a passport has no step for a back side', () => {
  expect(listSteps(started)).toEqual(['details', 'idFront', 'idBack', 'selfie', 'agreement']);
  const passport = { details: { ...details, documentType: 'passport' as const } };
  expect(listSteps(passport)).toEqual(['details', 'idFront', 'selfie', 'agreement']);
});

test('before submission an address leads to any step up to the first incomplete one', () => {
  expect(getPage(started, null)).toBe('details');
  expect(getPage(started, 'agreement')).toBe('details');
  expect(getPage(withDetails, 'selfie')).toBe('idFront');
  expect(getPage(withDetails, 'details')).toBe('details');
  expect(getPage(withDetails, '../../etc')).toBe('idFront');
  const front = picture('idFront', 'pending');
  const incomplete = { ...withDetails, documents: [front, ...withDetails.documents.slice(1)] };
  expect(getNextStep(incomplete)).toBe('idBack');
  expect(getPage(incomplete, 'idFront'), 'it may be taken again').toBe('idFront');
  expect(findPreviousPage(incomplete, 'idBack')).toBe('idFront');
  expect(findPreviousPage(incomplete, 'details')).toBeUndefined();
});

test('nothing can be changed under review, and a verified creator can only sign a new agreement', () => {
  for (const requested of [null, 'details', 'idBack', 'agreement'])
    expect(getPage({ ...failed, status: 'submitted' }, requested)).toBe('verdict');
  const verified: VerificationProgress = { ...failed, status: 'verified' };
  expect(getPage(verified, 'agreement')).toBe('verdict');
  const outdated: VerificationProgress = { ...verified, legalStatus: 'outdated' };
  expect(getPage(outdated, null)).toBe('verdict');
  expect(getPage(outdated, 'agreement')).toBe('agreement');
  expect(getPage(outdated, 'idFront')).toBe('verdict');
});

test('after a refusal only rejected items are requested again, and the last step submits', () => {
  expect(getPage(failed, null)).toBe('verdict');
  expect(getPage(failed, 'idBack')).toBe('idBack');
  for (const accepted of ['idFront', 'selfie', 'agreement'])
    expect(getPage(failed, accepted), accepted).toBe('verdict');
  expect(getPage(failed, 'details'), 'another document may be chosen').toBe('details');
  expect(isReadyToSubmit(failed)).toBe(false);
  const [front, , selfie] = failed.documents;
  if (!front || !selfie) throw new Error('there are three pictures');
  const retaken = { ...failed, documents: [front, picture('idBack', 'pending', AFTER), selfie] };
  expect(getNextStep(retaken)).toBe('agreement');
  expect(isReadyToSubmit(retaken)).toBe(true);
  expect(getPage(retaken, 'agreement')).toBe('agreement');
  expect(getPage(retaken, 'idBack'), 'taken since').toBe('idBack');
  expect(findPreviousPage(retaken, 'idBack')).toBe('verdict');
});
