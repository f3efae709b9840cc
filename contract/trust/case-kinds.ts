/** A new kind needs an entry here and in the server's `moderation/kinds.ts`. */
import { formatLongDay, formatRestriction, type RestrictedActivity } from '../shared/restrictions.ts';

/** `appeal`: against a decision about the sender. `copyright`: a takedown notice. `counter`: the counter-notice. */
export const CASE_KINDS = ['report', 'complaint', 'appeal', 'contact', 'ticket', 'copyright', 'counter'] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

export const CASE_QUEUES = ['reports', 'complaints', 'appeals', 'copyright', 'support', 'refunds'] as const;
export type CaseQueue = (typeof CASE_QUEUES)[number];

/** `open`: waits for an operator. `waiting`: waits for the sender. */
export const CASE_STATES = ['open', 'waiting', 'closed'] as const;
export type CaseState = (typeof CASE_STATES)[number];

export const formatContactReceipt = (reference: string) =>
  `Thanks, we’ve received your message. Reference: ${reference}.`;

export const ENTRY_KINDS = ['report', 'message', 'reply', 'note', 'assigned', 'decision', 'undone'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** On the wire, a report's `type`. */
export const REPORT_SUBJECTS = ['profile', 'post', 'message', 'call'] as const;
export type ReportSubject = (typeof REPORT_SUBJECTS)[number];
export const REPORT_SUBJECT_LABELS: Readonly<Record<ReportSubject, string>> = {
  profile: 'profile',
  post: 'post',
  message: 'message',
  call: 'call',
};

/** `text`: texts and links. */
export const PROFILE_PARTS = ['avatar', 'cover', 'text'] as const;
export type ProfilePart = (typeof PROFILE_PARTS)[number];
export const PROFILE_PART_LABELS: Readonly<Record<ProfilePart, string>> = {
  avatar: 'photo',
  cover: 'cover',
  text: 'text and links',
};
export function formatProfileParts(parts: readonly ProfilePart[]): string {
  const labels = PROFILE_PARTS.filter((part) => parts.includes(part)).map((part) => PROFILE_PART_LABELS[part]);
  return [labels.slice(0, -1).join(', '), labels.at(-1) ?? ''].filter((part) => part !== '').join(' and ');
}

/**
 * `hide` hides content from everyone except its author and buyers. `remove` deletes files with all identical copies, or
 * the selected parts of a profile. `refund` leaves the case open. `uphold` and `overturn` decide an appeal. `restore`
 * and `staysDown` decide a counter-notice; the latter means that the claimant went to court.
 */
export const CASE_ACTIONS = [
  'dismiss',
  'warn',
  'hide',
  'remove',
  'limitChat',
  'limitPosting',
  'limitPayouts',
  'suspend',
  'block',
  'refund',
  'close',
  'uphold',
  'overturn',
  'restore',
  'staysDown',
] as const;
export type CaseAction = (typeof CASE_ACTIONS)[number];

export const MEASURES = [
  'warn',
  'hide',
  'remove',
  'limitChat',
  'limitPosting',
  'limitPayouts',
  'suspend',
  'block',
] as const;
export type Measure = (typeof MEASURES)[number];
export const TIMED_ACTIONS: readonly CaseAction[] = ['limitChat', 'limitPosting', 'limitPayouts', 'suspend'];
export const RESTRICTED_ACTIVITY_BY_ACTION: Readonly<Partial<Record<CaseAction, RestrictedActivity>>> = {
  limitChat: 'chat',
  limitPosting: 'posting',
  limitPayouts: 'payouts',
};

export function isMeasure(action: CaseAction): action is Measure {
  return MEASURES.some((one) => one === action);
}

/** `title`: the content's title, or the removed profile parts. `until`: ISO time. */
export type MeasureNotice = {
  action: Measure;
  subject: ReportSubject | null;
  title: string;
  until: string | null;
  reason: string;
};

export function formatMeasure({ action, subject, title, until }: Omit<MeasureNotice, 'reason'>): string {
  // A violation reported with a profile may have happened elsewhere.
  const subjectLabel = subject === null || subject === 'profile' ? 'account' : REPORT_SUBJECT_LABELS[subject];
  const content = `Your ${subjectLabel}${title === '' ? '' : ` “${title}”`}`;
  const end = until === null ? '' : ` until ${formatLongDay(until)}`;
  switch (action) {
    case 'warn':
      return `This is a warning about ${content.charAt(0).toLowerCase()}${content.slice(1)}.`;
    case 'hide':
      return `${content} is hidden. Only you and people who unlocked it can see it.`;
    case 'remove':
      if (subject === 'profile') return `Removed from your profile: ${title}.`;
      return `${content} was removed, including all copies of its files.`;
    case 'limitChat':
    case 'limitPosting':
    case 'limitPayouts':
      return formatRestriction(RESTRICTED_ACTIVITY_BY_ACTION[action] ?? 'chat', until);
    case 'suspend':
      return `Your account is suspended${end}.`;
    case 'block':
      return 'Your account is permanently blocked.';
  }
}

export const APPEAL_MONTHS = 6;
export function formatAppealDeadline(deadline: string, isBlocked: boolean): string {
  return isBlocked
    ? `If you think this is a mistake, contact us by ${formatLongDay(deadline)}. A different person will review it.`
    : `If you think this is a mistake, you can appeal in Help until ${formatLongDay(deadline)}. A different person will review it.`;
}

export function formatMeasureNotice(notice: MeasureNotice, appealBy: string): string {
  const isBlocked = notice.action === 'suspend' || notice.action === 'block';
  return [formatMeasure(notice), notice.reason, formatAppealDeadline(appealBy, isBlocked)].join('\n\n');
}

export const REFUND_FINAL_MESSAGE = 'Refunds can’t be reversed.';

export function formatBuyerRefund({ sum, creator, reason }: { sum: string; creator: string; reason: string }): string {
  return [`We refunded ${sum} you paid to @${creator} to your balance.`, reason].join('\n\n');
}

/** `net`: the creator's share. `owed`: the part that was already paid out. */
export function formatCreatorRefund(refund: { sum: string; net: string; owed: string | null; reason: string }): string {
  const debtText =
    refund.owed === null
      ? ''
      : ` ${refund.owed} of it was already paid out and will be deducted from your next earnings.`;
  return [
    `We refunded a fan ${refund.sum}. Your share was ${refund.net}.${debtText}`,
    refund.reason,
    'If you think this is a mistake, contact us in Help and we’ll review it.',
  ].join('\n\n');
}

/** Never contains the claimant's contact details. */
export function formatCopyrightClaim(
  claim: { name: string; work: string; url: string },
  counterNoticeUrl: string,
): string {
  return [
    `${claim.name} says this copies a work that they own or are authorized to act for: ${claim.url}`,
    claim.work,
    `If you had the right to post it, send a counter-notice. We’ll forward it to the claimant with your name and address, and restore your content 10 to 14 business days later unless they file a court action:\n${counterNoticeUrl}`,
  ].join('\n\n');
}

export const RESTORED_MESSAGE = 'We weren’t notified of a court action. The removed content has been restored.';
export const ALREADY_REVERSED_MESSAGE = 'The removal was already reversed.';
