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
    'Part of it is covered by glare. Step away from the lamp and tilt it a little.',
    'It is blurred. Hold still, and wait until the picture is sharp.',
    'It is cut off. All four corners have to be in view.',
    'It is too dark. Turn on a light, or go to a window.',
    'This is the other side. Please turn it over.',
  ],
  decline: [
    'The document has expired. Another that is still valid will do.',
    'The name on it is not the name in your details.',
    'The date of birth on it is not that in your details.',
    'This is not the kind of document that you chose.',
    'This is a copy or a picture of a screen. We need the document itself.',
  ],
};
const FACE: Offers = {
  fail: [
    'Your face is too dark. Face a window.',
    'It is blurred. Hold still, and wait until the picture is sharp.',
    'Part of your face is covered or cut off.',
  ],
  decline: ['This is not the face on the document.', 'This is a picture of a picture. We need you, in the moment.'],
};

export const offersFor = (kind: DocumentKind, decision: Refusing): Offers['fail'] =>
  (kind === 'selfie' ? FACE : CARD)[decision];

export const DECISIONS: Readonly<Record<Decision, { key: string; words: string; button: string; done: string }>> = {
  verify: { key: 'V', words: 'It is who they say', button: 'Verify', done: 'Verified.' },
  fail: { key: 'F', words: 'Cannot be read', button: 'Ask for it again', done: 'Asked for it again.' },
  decline: { key: 'D', words: 'Not accepted', button: 'Decline', done: 'Declined.' },
};

export const TOLD: Readonly<Record<Decision, string>> = {
  verify: VERIFIED_WORDS,
  fail: VERIFICATION_WORDS.failed ?? '',
  decline: VERIFICATION_WORDS.declined ?? '',
};
