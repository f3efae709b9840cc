import {
  type DocumentKind,
  listRequiredDocuments,
  type Verification,
} from '@stagedoor/contract/compliance/verification.ts';
import { PATHS } from '@stagedoor/contract/shared/addresses.ts';
import { parseOption } from '../../../platform/address.ts';

export type FormStep = 'details' | DocumentKind | 'agreement';
/** `verdict`: the status page, which has no step in the address. */
export type VerificationPageName = FormStep | 'verdict';
export type VerificationProgress = Pick<Verification, 'status' | 'details' | 'documents' | 'legalStatus' | 'decidedAt'>;

export const STEP_COUNT = 5;
/** Both sides of a card count as one step in the interface. */
const STEP_NUMBERS: Readonly<Record<VerificationPageName, number>> = {
  details: 1,
  idFront: 2,
  idBack: 2,
  selfie: 3,
  agreement: 4,
  verdict: STEP_COUNT,
};
export const getStepNumber = (page: VerificationPageName): number => STEP_NUMBERS[page];

export function listSteps({ details }: Pick<VerificationProgress, 'details'>): readonly FormStep[] {
  return ['details', ...listRequiredDocuments(details?.documentType ?? 'identityCard'), 'agreement'];
}

export const findDocument = ({ documents }: Pick<VerificationProgress, 'documents'>, kind: string) =>
  documents.find((document) => document.kind === kind);

function isDone(progress: VerificationProgress, step: FormStep): boolean {
  if (step === 'details') return progress.details !== null;
  if (step === 'agreement') return progress.legalStatus === 'accepted';
  const document = findDocument(progress, step);
  return document !== undefined && document.uploadedAt !== null && document.state !== 'rejected';
}

export function getNextStep(progress: VerificationProgress): FormStep {
  return listSteps(progress).find((step) => !isDone(progress, step)) ?? 'agreement';
}

export const isReadyToSubmit = (progress: VerificationProgress): boolean =>
  listSteps(progress).every((step) => isDone(progress, step));

/**
 * After a decision: whether the document was rejected, was replaced since, or is missing. Accepted documents are not
 * requested again.
 */
function isRequestedAgain(progress: VerificationProgress, kind: DocumentKind): boolean {
  const document = findDocument(progress, kind);
  if (!document) return false;
  const { state, uploadedAt } = document;
  return (
    state === 'rejected' || uploadedAt === null || (progress.decidedAt !== null && uploadedAt > progress.decidedAt)
  );
}

/**
 * Returns the step for the address, at most the first incomplete one. With null it is the step where the creator
 * continues.
 */
export function getPage(progress: VerificationProgress, requested: string | null): VerificationPageName {
  const steps = listSteps(progress);
  const step = parseOption(steps, requested);
  const { status, legalStatus } = progress;
  if (status === 'submitted') return 'verdict';
  if (status === 'verified') return step === 'agreement' && legalStatus !== 'accepted' ? step : 'verdict';
  const next = getNextStep(progress);
  if (status === 'started') return step && steps.indexOf(step) <= steps.indexOf(next) ? step : next;
  if (step === undefined || step === 'details') return step ?? 'verdict';
  if (step === 'agreement') return next === 'agreement' ? step : 'verdict';
  return isRequestedAgain(progress, step) ? step : 'verdict';
}

export function findPreviousPage(
  progress: VerificationProgress,
  page: VerificationPageName,
): VerificationPageName | undefined {
  if (page === 'verdict') return undefined;
  if (progress.status !== 'started') return 'verdict';
  const steps = listSteps(progress);
  return steps[steps.indexOf(page) - 1];
}

export function toPagePath(page: VerificationPageName): string {
  return page === 'verdict' ? PATHS.creatorVerification : `${PATHS.creatorVerification}?step=${page}`;
}
