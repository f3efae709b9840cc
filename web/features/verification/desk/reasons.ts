import type { BodyOf } from '@stagedoor/contract/atoms/route.ts';
import {
  type DocumentKind,
  type decideVerification,
  VERIFICATION_WORDS,
  VERIFIED_WORDS,
} from '@stagedoor/contract/verification.ts';

export type Decision = BodyOf<typeof decideVerification>['decision'];
export type Refusing = Exclude<Decision, 'verify'>;

type Offers = Readonly<Record<Refusing, readonly [string, ...string[]]>>;

const CARD: Offers = {
  fail: [
    'There’s glare on part of it. Move away from direct light and tilt it slightly.',
    'It’s blurry. Hold still and wait until the picture is sharp.',
    'Part of it is cut off. Make sure all four corners are visible.',
    'It’s too dark. Turn on a light or move to a window.',
    'Wrong side. Turn it over.',
  ],
  decline: [
    'This document has expired. Use a valid one.',
    'The name doesn’t match your details.',
    'The date of birth doesn’t match your details.',
    'This isn’t the document type you selected.',
    'This is a copy or a photo of a screen. Use the original document.',
  ],
};
const FACE: Offers = {
  fail: [
    'Your face is too dark. Face a window.',
    'It’s blurry. Hold still and wait until the picture is sharp.',
    'Part of your face is covered or cut off.',
  ],
  decline: ['Your selfie doesn’t match your ID.', 'This is a photo of a photo. Take a live selfie.'],
};

export const offersFor = (kind: DocumentKind, decision: Refusing): Offers['fail'] =>
  (kind === 'selfie' ? FACE : CARD)[decision];

export const DECISIONS: Readonly<Record<Decision, { key: string; words: string; button: string; done: string }>> = {
  verify: { key: 'V', words: 'Identity confirmed', button: 'Verify', done: 'Verified.' },
  fail: { key: 'F', words: 'Unreadable', button: 'Request again', done: 'New documents requested.' },
  decline: { key: 'D', words: 'Declined', button: 'Decline', done: 'Declined.' },
};

export const TOLD: Readonly<Record<Decision, string>> = {
  verify: VERIFIED_WORDS,
  fail: VERIFICATION_WORDS.failed ?? '',
  decline: VERIFICATION_WORDS.declined ?? '',
};
