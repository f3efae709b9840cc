import type { AnswerOf } from '@stagedoor/contract/atoms/route.ts';
import {
  documentsOf,
  type LegalStatus,
  VERIFICATION_WORDS,
  type verificationStatus,
} from '@stagedoor/contract/verification.ts';
import { agreement } from './agreement.ts';
import type { Standing } from './store.ts';

export function legalStatusOf({ agreementVersion }: Pick<Standing, 'agreementVersion'>): LegalStatus {
  if (agreementVersion === null) return 'pending';
  return agreementVersion === agreement.version ? 'accepted' : 'outdated';
}

const iso = (at: Date | null) => at?.toISOString() ?? null;

export function presentStanding(standing: Standing): AnswerOf<typeof verificationStatus> {
  const { details, documents, status } = standing;
  return {
    status,
    message: VERIFICATION_WORDS[status] ?? null,
    legalStatus: legalStatusOf(standing),
    details: details ?? null,
    documents: (details ? documentsOf(details.documentType) : []).map((kind) => {
      const document = documents.get(kind);
      return {
        kind,
        state: document?.state ?? 'pending',
        takenAt: iso(document?.takenAt ?? null),
        reason: document?.reason ?? null,
      };
    }),
    agreement: {
      version: agreement.version,
      signedVersion: standing.agreementVersion,
      signedAt: iso(standing.signedAt),
    },
    submittedAt: iso(standing.submittedAt),
    answerBy: iso(standing.answerBy),
    decidedAt: iso(standing.decidedAt),
  };
}
