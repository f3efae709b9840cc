import {
  type DocumentKind,
  type decideVerification,
  VERIFICATION_MESSAGES,
  VERIFIED_MESSAGE,
} from '@stagedoor/contract/compliance/verification.ts';
import type { BodyOf } from '@stagedoor/contract/shared/route.ts';
import * as texts from './texts.ts';

export type Decision = BodyOf<typeof decideVerification>['decision'];
export type RefusingDecision = Exclude<Decision, 'verify'>;

type ReasonSuggestions = Readonly<Record<RefusingDecision, readonly [string, ...string[]]>>;

const CARD_REASONS: ReasonSuggestions = {
  fail: [texts.glareReason, texts.blurryReason, texts.cutOffReason, texts.darkDocumentReason, texts.wrongSideReason],
  decline: [
    texts.expiredReason,
    texts.nameMismatchReason,
    texts.birthDateMismatchReason,
    texts.wrongTypeReason,
    texts.copyReason,
  ],
};
const FACE_REASONS: ReasonSuggestions = {
  fail: [texts.darkFaceReason, texts.blurryReason, texts.coveredFaceReason],
  decline: [texts.selfieMismatchReason, texts.photoOfPhotoReason],
};

export const listReasons = (kind: DocumentKind, decision: RefusingDecision): ReasonSuggestions['fail'] =>
  (kind === 'selfie' ? FACE_REASONS : CARD_REASONS)[decision];

export const DECISIONS: Readonly<Record<Decision, { key: string; label: string; button: string; done: string }>> = {
  verify: { key: 'V', label: texts.identityConfirmed, button: texts.verifyButton, done: texts.verifiedConfirmation },
  fail: { key: 'F', label: texts.unreadable, button: texts.requestAgain, done: texts.documentsRequestedConfirmation },
  decline: { key: 'D', label: texts.declined, button: texts.declineButton, done: texts.declinedConfirmation },
};

export const CREATOR_MESSAGES: Readonly<Record<Decision, string>> = {
  verify: VERIFIED_MESSAGE,
  fail: VERIFICATION_MESSAGES.failed ?? '',
  decline: VERIFICATION_MESSAGES.declined ?? '',
};
