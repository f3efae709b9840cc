/** Retention periods in days. The purge jobs and the privacy policy both read them, so that they cannot differ. */
import { DELETED_MEDIA_DAYS } from '@stagedoor/contract/shared/limits.ts';
import { VERIFICATION_LIMITS } from '@stagedoor/contract/shared/module-limits.ts';

export const RETENTION_DAYS = {
  idleSession: 30,
  session: 90,
  knownDevice: 365,
  /** Hashes of browsers and cards, which detect accounts created after a block. */
  accountFingerprints: 180,
  securityLog: 400,
  errorStats: 2,
  notifications: 90,
  pushes: 10,
  /** Viewers of a profile, as daily hashes. */
  profileViews: 2,
  geoBlockHits: 30,
  unreadableEvents: 30,
  originals: 7,
  deletedMedia: DELETED_MEDIA_DAYS,
  /** Selfies and refused documents, after the decision. */
  documents: VERIFICATION_LIMITS.retentionDays,
  /**
   * Contact details in copyright notices and counter-notices, after the case: the time within which one can be sued (17
   * U.S.C. 507(b)).
   */
  copyrightContact: 1_095,
  /** Snapshots of reported profiles, after the case: the time within which the decision can be appealed. */
  reportedProfile: 186,
  markedCopies: 7,
} as const;

const DAY_MS = 24 * 60 * 60_000;

export function getRetentionMs(key: keyof typeof RETENTION_DAYS): number {
  return RETENTION_DAYS[key] * DAY_MS;
}
