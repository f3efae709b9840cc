/** Limits of single modules, separate so that other pages do not load them. */
/** Section F of the specification; docs/money.md, rule 7. ⚙ `holdMinutes`, `freeSeconds`. */
export const CALL_LIMITS = {
  /** The hold stays this far ahead of the charged time while funds last. */
  holdMinutes: 3,
  freeSeconds: 20,
  ringSeconds: 45,
  /** A call fails if no media arrives in this time after the answer. */
  setupSeconds: 30,
  reconnectSeconds: 30,
  /** Clients report this often whether they receive media from the other side. */
  heartbeatMs: 3_000,
  /** Without a heartbeat for this time, a side counts as disconnected since its last one. */
  heartbeatTimeoutMs: 8_000,
  warnSeconds: [120, 30],
  minMinutes: { min: 1, max: 30 },
  /** Both limits are per fan, in total and with one creator. */
  startsPerHour: 60,
  startsPerCreatorPerHour: 20,
  descriptionLength: 32_000,
  candidateLength: 1_000,
  /** Counts the ICE candidates and session descriptions of one side. */
  signalsPerTenSeconds: 200,
  heartbeatsPerTenSeconds: 40,
  credentialSeconds: 120,
} as const;
/** A creator's verification (row G5). ⚙ `answerDays`. */
export const VERIFICATION_LIMITS = {
  minAge: 18,
  pictureBytes: 20 * 1024 * 1024,
  /** Text on smaller pictures is not readable. */
  minPixels: 480,
  answerDays: 2,
  /** How long the selfie and refused documents are retained after the decision. */
  retentionDays: 30,
  reasonLength: 300,
  strokes: 60,
  points: 2_000,
} as const;
export const LOOP_LIMITS = { maxSeconds: 60, maxFrames: 1_500, maxPixels: 1_000_000_000 } as const;
export const DRAFT_LIMITS = { max: 500, scheduleDays: 365 } as const;
export const CAPTIONS_MAX_BYTES = 1024 * 1024;
/** Chat (rows E1 to E13). Lengths in characters, times in seconds unless named otherwise. */
export const CHAT_LIMITS = {
  textLength: 5_000,
  noteLength: 2_000,
  files: 10,
  documentBytes: 25 * 1024 * 1024,
  audioBytes: 16 * 1024 * 1024,
  /** Applies to files in a multipart form. Longer videos are uploaded with tus at `/files`. */
  formFileBytes: 100 * 1024 * 1024,
  fanUploadBytes: 512 * 1024 * 1024,
  audioSeconds: 600,
  perTenSeconds: 20,
  perMinute: 60,
  /** Counts first messages to creators whom the fan never wrote to before. */
  requestsPerDay: 50,
  declinedDays: 30,
  /** A returning fan receives only the newest ones. */
  broadcastsForReturningFan: 50,
  broadcastTargets: 500,
  scheduledBroadcasts: 50,
  /** A broadcast is scheduled at most this far ahead, which is a year in leap years too. */
  broadcastScheduleDays: 366,
  statusIdsMax: 200,
  /** A reconnecting socket receives missed messages in batches. Beyond `replayMax` the client must refetch. */
  replayMax: 5_000,
  replayBatch: 200,
  unreadCountMax: 100,
  /** The message is removed this long after playback ended, even if it was not closed. */
  viewOnceSeconds: 60,
  typingMs: 5_000,
} as const;
/** Lengths in characters. ⚙ The deadlines are in the server's `moderation/kinds.ts`. */
export const CASE_LIMITS = {
  messageLength: 4_000,
  subjectLength: 120,
  contentLocationLength: 500,
  noteLength: 2_000,
  pictures: 4,
  minPixels: 16,
  reportsPerHour: 20,
  ticketsPerDay: 20,
  /** `messagesPerDay` is per account, or per network without one. `receiptsPerDay` is per e-mail address. */
  messagesPerDay: 30,
  /** Counts wrong pairs of case number and e-mail address within 15 minutes. */
  wrongPerReference: 10,
  wrongPerNetwork: 20,
  proofLength: 500,
  receiptsPerDay: 3,
  days: { min: 1, max: 365 },
  batchSize: 50,
  countMax: 999,
  cannedResponses: 100,
  purchases: 20,
} as const;

/** Days to restore are business days after a counter-notice (17 U.S.C. 512(g)(2)(C)). */
export const COPYRIGHT_LIMITS = {
  linkLength: 200,
  addressLength: 300,
  urlsLength: 4_000,
  urls: 10,
  noticeDays: 2,
  restoreFromDays: 10,
  restoreByDays: 14,
  /** An account is terminated after this many upheld notices within `strikeMonths`. */
  strikes: 3,
  strikeMonths: 12,
} as const;

/**
 * `members` includes open invitations. `invitationsPerDay` includes withdrawn and declined ones, because each sends a
 * mail. `teams` is per member.
 */
export const TEAM_LIMITS = { members: 10, invitationDays: 7, invitationsPerDay: 20, teams: 20 } as const;

/** In cents, inclusive. */
export const SPENDING_LIMIT_CENTS = { min: 100, max: 10_000_000 } as const;
