/** Limits of single modules, separate so that other pages do not load them. */
/** Section F of the specification; docs/money.md, rule 7. ⚙ `holdMinutes`, `freeSeconds`. */
export const CALL = {
  /** The hold stays this far ahead of the charged time while funds last. */
  holdMinutes: 3,
  freeSeconds: 20,
  ringSeconds: 45,
  /** A call fails if no media arrives in this time after the answer. */
  setupSeconds: 30,
  gapSeconds: 30,
  /** Clients report this often whether they receive media from the other side. */
  heartbeatMs: 3_000,
  /** Without a heartbeat for this time, a side counts as disconnected since its last one. */
  silenceMs: 8_000,
  warnSeconds: [120, 30],
  shortestMinutes: { min: 1, max: 30 },
  /** Both limits are per fan, in total and with one creator. */
  startsAnHour: 60,
  startsToOneAnHour: 20,
  descriptionLength: 32_000,
  candidateLength: 1_000,
  /** Counts the ICE candidates and session descriptions of one side. */
  signalsInTenSeconds: 200,
  heardInTenSeconds: 40,
  credentialSeconds: 120,
} as const;
/** A creator's verification (row G5). ⚙ `answerDays`. */
export const VERIFICATION = {
  leastAge: 18,
  pictureBytes: 20 * 1024 * 1024,
  /** Text on smaller pictures is not readable. */
  leastPixels: 480,
  answerDays: 2,
  /** How long the selfie and refused documents are retained after the decision. */
  keptDays: 30,
  reasonLength: 300,
  strokes: 60,
  points: 2_000,
} as const;
export const LOOP = { maxSeconds: 60, maxFrames: 1_500, maxPixels: 1_000_000_000 } as const;
export const DRAFTS = { max: 500, scheduleDays: 365 } as const;
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
  inTenSeconds: 20,
  inAMinute: 60,
  /** Counts first messages to creators whom the fan never wrote to before. */
  requestsADay: 50,
  declinedDays: 30,
  /** A returning fan receives only the newest ones. */
  broadcastsKept: 50,
  broadcastTargets: 500,
  scheduledBroadcasts: 50,
  statusIds: 200,
  /** A reconnecting socket receives missed messages in batches. Beyond `replay` the client must refetch. */
  replay: 5_000,
  replayPart: 200,
  unreadCounted: 100,
  /** The message is removed this long after playback ended, even if it was not closed. */
  viewOnceSeconds: 60,
  typingMs: 5_000,
} as const;
/** Lengths in characters. ⚙ The deadlines are in the server's `cases/kinds.ts`. */
export const CASES = {
  messageLength: 4_000,
  subjectLength: 120,
  placeLength: 500,
  noteLength: 2_000,
  pictures: 4,
  leastPixels: 16,
  reportsAnHour: 20,
  ticketsADay: 20,
  /** `lettersADay` is per account, or per network without one. `receiptsADay` is per e-mail address. */
  lettersADay: 30,
  /** Counts wrong pairs of case number and e-mail address within 15 minutes. */
  wrongOfNumber: 10,
  wrongOfNetwork: 20,
  proofLength: 500,
  receiptsADay: 3,
  days: { min: 1, max: 365 },
  atOnce: 50,
  counted: 999,
  savedAnswers: 100,
  purchases: 20,
} as const;

/** Days to restore are business days after a counter-notice (17 U.S.C. 512(g)(2)(C)). */
export const COPYRIGHT = {
  linkLength: 200,
  addressLength: 300,
  placesLength: 4_000,
  places: 10,
  noticeDays: 2,
  restoreFromDays: 10,
  restoreByDays: 14,
  /** An account is terminated after this many upheld notices within `strikeMonths`. */
  strikes: 3,
  strikeMonths: 12,
} as const;

/**
 * `members` includes open invitations. `invitationsADay` includes withdrawn and declined ones, because each sends a
 * mail. `teams` is per member.
 */
export const TEAM = { members: 10, invitationDays: 7, invitationsADay: 20, teams: 20 } as const;

/** In cents, inclusive. */
export const OWN_LIMIT_CENTS = { min: 100, max: 10_000_000 } as const;
