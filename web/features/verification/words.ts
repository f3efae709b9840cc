import { isBusinessDay } from '@stagedoor/contract/business-days.ts';
import {
  DOCUMENT_TYPES,
  type DocumentKind,
  type DocumentType,
  type Verification,
} from '@stagedoor/contract/verification.ts';
import { formatDay, plural } from '../../kernel/dates.ts';
import type { ClockState } from '../../ui/clock.tsx';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });

const dayOf = (iso: string) => Math.floor(Date.parse(iso) / DAY_MS);

/**
 * Counts business days after the day of `from` up to the day of `until`, in UTC. 0 if `until` is the same day or
 * earlier.
 */
export function businessDaysBetween(from: string, until: string): number {
  let count = 0;
  for (let day = dayOf(from) + 1; day <= dayOf(until); day += 1) if (isBusinessDay(new Date(day * DAY_MS))) count += 1;
  return count;
}

export function clockOf(answerBy: string, now: string): ClockState {
  const left = Date.parse(answerBy) - Date.parse(now);
  if (left < 0) {
    const days = businessDaysBetween(answerBy, now);
    const over = days > 0 ? plural(days, 'business day') : `${Math.max(1, Math.floor(-left / HOUR_MS))} h`;
    return { lamp: 'danger', words: `${over} overdue` };
  }
  const days = businessDaysBetween(now, answerBy);
  if (days === 0) return { lamp: 'busy', words: `${Math.max(1, Math.floor(left / HOUR_MS))} h left` };
  return { lamp: days > 1 ? 'on' : 'busy', words: `${plural(days, 'business day')} left` };
}

export function promiseOf(answerBy: string, now: string): string {
  if (Date.parse(answerBy) < Date.parse(now))
    return 'This is taking longer than expected. We’ll notify you here and by email.';
  if (dayOf(answerBy) === dayOf(now)) return 'We’ll let you know today, here and by email.';
  return `We’ll let you know by ${weekday.format(new Date(answerBy))} ${formatDay(answerBy, now)}, here and by email.`;
}

export const NOUNS: Readonly<Record<DocumentType, string>> = {
  identityCard: 'card',
  passport: 'passport',
  drivingLicence: 'license',
};

export function nameOf(kind: DocumentKind, type: DocumentType): string {
  if (kind === 'selfie') return 'Selfie';
  if (type === 'passport') return DOCUMENT_TYPES.passport;
  return `${DOCUMENT_TYPES[type]}, ${kind === 'idFront' ? 'front' : 'back'}`;
}

export function sideOf(kind: DocumentKind, type: DocumentType): string {
  if (kind === 'selfie') return 'your selfie';
  if (type === 'passport') return 'your passport';
  return kind === 'idFront' ? 'the front' : 'the back';
}

export type PictureWords = { title: string; lead: string; alt: string; question: string };

export function pictureWords(kind: DocumentKind, type: DocumentType): PictureWords {
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
      : `${kind === 'idFront' ? 'Front' : 'Back'} of your ${NOUNS[type]}`;
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

export function verdictTitle({ status, documents, details, legalStatus }: Verification): string {
  if (status === 'submitted') return 'Under review';
  if (status === 'verified') return legalStatus === 'accepted' ? 'You’re verified' : 'Sign the creator agreement';
  const rejected = documents.filter(({ state }) => state === 'rejected');
  if (rejected.length === 0) return 'Ready to resubmit';
  if (status === 'declined') {
    const isFace = rejected.every(({ kind }) => kind === 'selfie');
    return `We can’t accept this ${isFace || !details ? 'selfie' : NOUNS[details.documentType]}`;
  }
  const count = SMALL_NUMBERS[rejected.length] ?? String(rejected.length);
  return `${count} ${rejected.length === 1 ? 'photo' : 'photos'} to retake`;
}
