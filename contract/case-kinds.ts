/** A new kind needs an entry here and in the server's `cases/kinds.ts`. */
import { type Activity, closedActivityWords, dayWords } from './atoms/activities.ts';

/** `appeal`: against a decision about the sender. `copyright`: a takedown notice. `counter`: the counter-notice. */
export const CASE_KINDS = ['report', 'complaint', 'appeal', 'contact', 'ticket', 'copyright', 'counter'] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

export const CASE_QUEUES = ['reports', 'complaints', 'appeals', 'copyright', 'support', 'refunds'] as const;
export type CaseQueue = (typeof CASE_QUEUES)[number];

/** `open`: waits for an operator. `waiting`: waits for the sender. */
export const CASE_STATES = ['open', 'waiting', 'closed'] as const;
export type CaseState = (typeof CASE_STATES)[number];

export const contactWords = (reference: string) => `Thanks, we’ve received your message. Reference: ${reference}.`;

export const ENTRY_KINDS = ['report', 'message', 'reply', 'note', 'assigned', 'decision', 'undone'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** On the wire, a report's `type`. */
export const SUBJECTS = ['profile', 'post', 'message', 'call'] as const;
export type Subject = (typeof SUBJECTS)[number];
export const SUBJECT_WORDS: Readonly<Record<Subject, string>> = {
  profile: 'profile',
  post: 'post',
  message: 'message',
  call: 'call',
};

/** `words`: texts and links. */
export const PROFILE_PARTS = ['avatar', 'cover', 'words'] as const;
export type ProfilePart = (typeof PROFILE_PARTS)[number];
export const PROFILE_PART_WORDS: Readonly<Record<ProfilePart, string>> = {
  avatar: 'photo',
  cover: 'cover',
  words: 'text and links',
};
export function partsWords(parts: readonly ProfilePart[]): string {
  const words = PROFILE_PARTS.filter((part) => parts.includes(part)).map((part) => PROFILE_PART_WORDS[part]);
  return [words.slice(0, -1).join(', '), words.at(-1) ?? ''].filter((part) => part !== '').join(' and ');
}

/**
 * `hide` hides content from everyone except its author and buyers. `remove` deletes files with all identical copies, or
 * the selected parts of a profile. `refund` leaves the case open. `uphold` and `overturn` decide an appeal. `restore`
 * and `staysDown` decide a counter-notice; the latter means that the claimant went to court.
 */
export const CASE_ACTS = [
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
export type CaseAct = (typeof CASE_ACTS)[number];

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
export const TIMED_ACTS: readonly CaseAct[] = ['limitChat', 'limitPosting', 'limitPayouts', 'suspend'];
export const ACTIVITY_OF: Readonly<Partial<Record<CaseAct, Activity>>> = {
  limitChat: 'chat',
  limitPosting: 'posting',
  limitPayouts: 'payouts',
};

export function isMeasure(act: CaseAct): act is Measure {
  return MEASURES.some((one) => one === act);
}

/** `title`: the content's title, or the removed profile parts. `until`: ISO time. */
export type Told = { act: Measure; subject: Subject | null; title: string; until: string | null; ground: string };

export function measureWords({ act, subject, title, until }: Omit<Told, 'ground'>): string {
  // A violation reported with a profile may have happened elsewhere.
  const called = subject === null || subject === 'profile' ? 'account' : SUBJECT_WORDS[subject];
  const thing = `Your ${called}${title === '' ? '' : ` “${title}”`}`;
  const end = until === null ? '' : ` until ${dayWords(until)}`;
  switch (act) {
    case 'warn':
      return `This is a warning about ${thing.charAt(0).toLowerCase()}${thing.slice(1)}.`;
    case 'hide':
      return `${thing} is hidden. Only you and people who unlocked it can see it.`;
    case 'remove':
      if (subject === 'profile') return `Removed from your profile: ${title}.`;
      return `${thing} was removed, including all copies of its files.`;
    case 'limitChat':
    case 'limitPosting':
    case 'limitPayouts':
      return closedActivityWords(ACTIVITY_OF[act] ?? 'chat', until);
    case 'suspend':
      return `Your account is suspended${end}.`;
    case 'block':
      return 'Your account is permanently blocked.';
  }
}

export const APPEAL_MONTHS = 6;
export function appealWords(by: string, isBlocked: boolean): string {
  return isBlocked
    ? `If you think this is a mistake, contact us by ${dayWords(by)}. A different person will review it.`
    : `If you think this is a mistake, you can appeal in Help until ${dayWords(by)}. A different person will review it.`;
}

export function toldWords(told: Told, appealBy: string): string {
  const isBlocked = told.act === 'suspend' || told.act === 'block';
  return [measureWords(told), told.ground, appealWords(appealBy, isBlocked)].join('\n\n');
}

export const REFUND_STAYS = 'Refunds can’t be reversed.';

export function refundedWords({ sum, creator, ground }: { sum: string; creator: string; ground: string }): string {
  return [`We refunded ${sum} you paid to @${creator} to your balance.`, ground].join('\n\n');
}

/** `net`: the creator's share. `owed`: the part that was already paid out. */
export function saleTakenBackWords(of: { sum: string; net: string; owed: string | null; ground: string }): string {
  const owes =
    of.owed === null ? '' : ` ${of.owed} of it was already paid out and will be deducted from your next earnings.`;
  return [
    `We refunded a fan ${of.sum}. Your share was ${of.net}.${owes}`,
    of.ground,
    'If you think this is a mistake, contact us in Help and we’ll review it.',
  ].join('\n\n');
}

/** Never contains the claimant's contact details. */
export function claimWords(claim: { name: string; work: string; place: string }, at: string): string {
  return [
    `${claim.name} says this copies a work that they own or are authorized to act for: ${claim.place}`,
    claim.work,
    `If you had the right to post it, send a counter-notice. We’ll forward it to the claimant with your name and address, and restore your content 10 to 14 business days later unless they file a court action:\n${at}`,
  ].join('\n\n');
}

export const RESTORED_WORDS = 'We weren’t notified of a court action. The removed content has been restored.';
export const CLOSED_OTHERWISE_WORDS = 'The removal was already reversed.';
