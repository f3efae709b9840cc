import {
  type DocumentKind,
  type decideVerification,
  VERIFICATION_MESSAGES,
  VERIFIED_MESSAGE,
} from '@stagedoor/contract/compliance/verification.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';

export type Decision = BodyOf<typeof decideVerification>['decision'];
export type RefusingDecision = Exclude<Decision, 'verify'>;

type ReasonSuggestions = Readonly<Record<RefusingDecision, readonly [string, ...string[]]>>;

const CARD_REASONS: ReasonSuggestions = {
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
const FACE_REASONS: ReasonSuggestions = {
  fail: [
    'Your face is too dark. Face a window.',
    'It’s blurry. Hold still and wait until the picture is sharp.',
    'Part of your face is covered or cut off.',
  ],
  decline: ['Your selfie doesn’t match your ID.', 'This is a photo of a photo. Take a live selfie.'],
};

export const listReasons = (kind: DocumentKind, decision: RefusingDecision): ReasonSuggestions['fail'] =>
  (kind === 'selfie' ? FACE_REASONS : CARD_REASONS)[decision];

export const DECISIONS: Readonly<Record<Decision, { key: string; label: string; button: string; done: string }>> = {
  verify: { key: 'V', label: 'Identity confirmed', button: 'Verify', done: 'Verified.' },
  fail: { key: 'F', label: 'Unreadable', button: 'Request again', done: 'New documents requested.' },
  decline: { key: 'D', label: 'Declined', button: 'Decline', done: 'Declined.' },
};

export const CREATOR_MESSAGES: Readonly<Record<Decision, string>> = {
  verify: VERIFIED_MESSAGE,
  fail: VERIFICATION_MESSAGES.failed ?? '',
  decline: VERIFICATION_MESSAGES.declined ?? '',
};
