import {
  type getVerification,
  type LegalStatus,
  listRequiredDocuments,
  VERIFICATION_MESSAGES,
} from '@stagedoor/contract/compliance/verification.ts';
import type { ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import { agreement } from './agreement.ts';
import type { VerificationRecord } from './store.ts';

export function getLegalStatus({ agreementVersion }: Pick<VerificationRecord, 'agreementVersion'>): LegalStatus {
  if (agreementVersion === null) return 'pending';
  return agreementVersion === agreement.version ? 'accepted' : 'outdated';
}

const toIso = (at: Date | null) => at?.toISOString() ?? null;

export function presentVerification(verification: VerificationRecord): ResponseInputOf<typeof getVerification> {
  const { details, documents, status } = verification;
  return {
    status,
    message: VERIFICATION_MESSAGES[status] ?? null,
    legalStatus: getLegalStatus(verification),
    details: details ?? null,
    documents: (details ? listRequiredDocuments(details.documentType) : []).map((kind) => {
      const document = documents.get(kind);
      return {
        kind,
        state: document?.state ?? 'pending',
        uploadedAt: toIso(document?.uploadedAt ?? null),
        reason: document?.reason ?? null,
      };
    }),
    agreement: {
      version: agreement.version,
      signedVersion: verification.agreementVersion,
      signedAt: toIso(verification.signedAt),
    },
    submittedAt: toIso(verification.submittedAt),
    answerBy: toIso(verification.answerBy),
    decidedAt: toIso(verification.decidedAt),
  };
}
