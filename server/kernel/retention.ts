/**
 * How long what is about people is kept, in days: the jobs that forget read it here, and so does the privacy policy, so that what is
 * promised is what happens.
 */
import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/atoms/limits.ts';
import { VERIFICATION } from '@stagedoor/contract/atoms/room-limits.ts';

export const RETENTION_DAYS = {
  /** A session that nobody uses; and any session. */
  idleSession: 30,
  session: 90,
  /** A browser that was logged in from. */
  knownDevice: 365,
  /** A hash of it, or of a card, by which an account that was made after a block can be known again. */
  accountSignals: 180,
  securityLog: 400,
  /** Faults of ours, counted; nothing in them is about anybody. */
  requestFaults: 2,
  notifications: 90,
  /** What was sent to a device. */
  pushes: 10,
  /** Who looked at a profile, as a hash of the day. */
  profileViews: 2,
  /** How often somebody was turned away from a place, by the day. */
  turnedAway: 30,
  /** A message of the processor that could not be read. */
  unreadableEvents: 30,
  /** What was uploaded, once everything is made of it. */
  originals: 7,
  deletedMedia: DELETED_MEDIA_DAYS,
  /** The selfie, and documents that were refused, after the decision. */
  documents: VERIFICATION.keptDays,
  /** How to reach who sent a notice of copyright or a counter-notice, after its end: as long as one can be sued over it (17 U.S.C. 507(b)). */
  copyrightContact: 1_095,
  /** A profile as it was when it was reported, after the case's end: as long as what was decided can be appealed. */
  reportedProfile: 186,
  /** Copies with a watermark, made for one person. */
  markedCopies: 7,
} as const;

const DAY_MS = 24 * 60 * 60_000;

/** The same in milliseconds. */
export function keptMs(what: keyof typeof RETENTION_DAYS): number {
  return RETENTION_DAYS[what] * DAY_MS;
}
