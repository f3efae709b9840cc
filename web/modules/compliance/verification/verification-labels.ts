import {
  DOCUMENT_TYPES,
  type DocumentKind,
  type DocumentType,
  type Verification,
} from '@stagedoor/contract/compliance/verification.ts';
import { isBusinessDay } from '@stagedoor/contract/finance/business-days.ts';
import { formatCount, formatFutureDay, lowercaseDayWord } from '../../../platform/dates.ts';
import type { DeadlineState } from '../../../ui/deadline.tsx';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const toDayNumber = (iso: string) => Math.floor(Date.parse(iso) / DAY_MS);

/**
 * Counts business days after the day of `from` up to the day of `until`, in UTC. 0 if `until` is the same day or
 * earlier.
 */
export function countBusinessDaysBetween(from: string, until: string): number {
  let count = 0;
  for (let day = toDayNumber(from) + 1; day <= toDayNumber(until); day += 1)
    if (isBusinessDay(new Date(day * DAY_MS))) count += 1;
  return count;
}

export function toDeadline(answerBy: string, now: string): DeadlineState {
  const leftMs = Date.parse(answerBy) - Date.parse(now);
  if (leftMs < 0) {
    const days = countBusinessDaysBetween(answerBy, now);
    const overdue = days > 0 ? formatCount(days, 'business day') : `${Math.max(1, Math.floor(-leftMs / HOUR_MS))} h`;
    return { tone: 'danger', label: `${overdue} overdue` };
  }
  const days = countBusinessDaysBetween(now, answerBy);
  if (days === 0) return { tone: 'busy', label: `${Math.max(1, Math.floor(leftMs / HOUR_MS))} h left` };
  return { tone: days > 1 ? 'on' : 'busy', label: `${formatCount(days, 'business day')} left` };
}

export function formatAnswerTime(answerBy: string, now: string): string {
  if (Date.parse(answerBy) < Date.parse(now))
    return 'This is taking longer than expected. We’ll notify you here and by email.';
  if (toDayNumber(answerBy) === toDayNumber(now)) return 'We’ll let you know today, here and by email.';
  return `We’ll let you know by ${lowercaseDayWord(formatFutureDay(answerBy, now))}, here and by email.`;
}

export const DOCUMENT_NOUNS: Readonly<Record<DocumentType, string>> = {
  identityCard: 'card',
  passport: 'passport',
  drivingLicence: 'license',
};

export function getDocumentName(kind: DocumentKind, type: DocumentType): string {
  if (kind === 'selfie') return 'Selfie';
  if (type === 'passport') return DOCUMENT_TYPES.passport;
  return `${DOCUMENT_TYPES[type]}, ${kind === 'idFront' ? 'front' : 'back'}`;
}

export function formatDocumentSide(kind: DocumentKind, type: DocumentType): string {
  if (kind === 'selfie') return 'your selfie';
  if (type === 'passport') return 'your passport';
  return kind === 'idFront' ? 'the front' : 'the back';
}

export type PictureTexts = { title: string; lead: string; alt: string; question: string };

export function getPictureTexts(kind: DocumentKind, type: DocumentType): PictureTexts {
  if (kind === 'selfie')
    return {
      title: 'Take a selfie',
      lead: 'Face a light source. Remove glasses and anything covering your face.',
      alt: 'Selfie',
      question: 'Can you see your whole face?',
    };
  const side =
    type === 'passport'
      ? 'The page with your photo'
      : `${kind === 'idFront' ? 'Front' : 'Back'} of your ${DOCUMENT_NOUNS[type]}`;
  return {
    title: side,
    lead:
      type === 'passport'
        ? 'Open it flat on a dark table and hold the camera above it.'
        : 'Lay it on a dark table and hold the camera flat above it.',
    alt: side,
    question: 'Can you read every line?',
  };
}

const SMALL_NUMBERS = ['No', 'One', 'Two', 'Three'];

export function getStatusTitle({ status, documents, details, legalStatus }: Verification): string {
  if (status === 'submitted') return 'Under review';
  if (status === 'verified') return legalStatus === 'accepted' ? 'You’re verified' : 'Sign the creator agreement';
  const rejected = documents.filter(({ state }) => state === 'rejected');
  if (rejected.length === 0) return 'Ready to resubmit';
  if (status === 'declined') {
    const isFace = rejected.every(({ kind }) => kind === 'selfie');
    return `We can’t accept this ${isFace || !details ? 'selfie' : DOCUMENT_NOUNS[details.documentType]}`;
  }
  const count = SMALL_NUMBERS[rejected.length] ?? String(rejected.length);
  return `${count} ${rejected.length === 1 ? 'photo' : 'photos'} to retake`;
}
