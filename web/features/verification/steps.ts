import { PATHS } from '@stagedoor/contract/addresses.ts';
import { type DocumentKind, documentsOf, type Verification } from '@stagedoor/contract/verification.ts';
import { oneOf } from '../../kernel/address.ts';

export type Step = 'details' | DocumentKind | 'agreement';
/** `verdict`: the status page, which has no step in the address. */
export type Place = Step | 'verdict';
export type Standing = Pick<Verification, 'status' | 'details' | 'documents' | 'legalStatus' | 'decidedAt'>;

export const STEP_COUNT = 5;
/** Both sides of a card count as one step in the interface. */
const NUMBERS: Readonly<Record<Place, number>> = {
  details: 1,
  idFront: 2,
  idBack: 2,
  selfie: 3,
  agreement: 4,
  verdict: STEP_COUNT,
};
export const numberOf = (place: Place): number => NUMBERS[place];

export function stepsOf({ details }: Pick<Standing, 'details'>): readonly Step[] {
  return ['details', ...documentsOf(details?.documentType ?? 'identityCard'), 'agreement'];
}

export const documentOf = ({ documents }: Pick<Standing, 'documents'>, kind: string) =>
  documents.find((document) => document.kind === kind);

function isDone(standing: Standing, step: Step): boolean {
  if (step === 'details') return standing.details !== null;
  if (step === 'agreement') return standing.legalStatus === 'accepted';
  const document = documentOf(standing, step);
  return document !== undefined && document.takenAt !== null && document.state !== 'rejected';
}

export function nextStep(standing: Standing): Step {
  return stepsOf(standing).find((step) => !isDone(standing, step)) ?? 'agreement';
}

export const isComplete = (standing: Standing): boolean => stepsOf(standing).every((step) => isDone(standing, step));

/**
 * After a decision: whether the document was rejected, was replaced since, or is missing. Accepted documents are not
 * requested again.
 */
function isAskedAgain(standing: Standing, kind: DocumentKind): boolean {
  const document = documentOf(standing, kind);
  if (!document) return false;
  const { state, takenAt } = document;
  return state === 'rejected' || takenAt === null || (standing.decidedAt !== null && takenAt > standing.decidedAt);
}

/**
 * Returns the step for the address, at most the first incomplete one. With null it is the step where the creator
 * continues.
 */
export function placeOf(standing: Standing, asked: string | null): Place {
  const steps = stepsOf(standing);
  const step = oneOf(steps, asked);
  const { status, legalStatus } = standing;
  if (status === 'submitted') return 'verdict';
  if (status === 'verified') return step === 'agreement' && legalStatus !== 'accepted' ? step : 'verdict';
  const next = nextStep(standing);
  if (status === 'started') return step && steps.indexOf(step) <= steps.indexOf(next) ? step : next;
  if (step === undefined || step === 'details') return step ?? 'verdict';
  if (step === 'agreement') return next === 'agreement' ? step : 'verdict';
  return isAskedAgain(standing, step) ? step : 'verdict';
}

export function placeBefore(standing: Standing, place: Place): Place | undefined {
  if (place === 'verdict') return undefined;
  if (standing.status !== 'started') return 'verdict';
  const steps = stepsOf(standing);
  return steps[steps.indexOf(place) - 1];
}

export function placeAddress(place: Place): string {
  return place === 'verdict' ? PATHS.creatorVerification : `${PATHS.creatorVerification}?step=${place}`;
}
