/** Limits that single rooms have, apart from those of every page: pages without these rooms do not carry them. */
/** Paid calls (section F, money 7). ⚙ `holdMinutes`, `freeSeconds`. */
export const CALL = {
  /** Worth of so many minutes is set aside when a call is offered, and stays ahead of what is talked while funds last. */
  holdMinutes: 3,
  /** What was talked is free below this. */
  freeSeconds: 20,
  /** Nobody answers: it rings no longer. */
  ringSeconds: 45,
  /** Answered, and no picture or sound comes through: it failed. */
  setupSeconds: 30,
  /** A lost side is waited for; the clock stands meanwhile. */
  gapSeconds: 30,
  /** A client in a call says so often whether it hears the other side… */
  heartbeatMs: 3_000,
  /** …and whoever was not heard for so long is lost, since they were heard last. */
  silenceMs: 8_000,
  /** What is left when the fan is warned, in seconds. */
  warnSeconds: [120, 30],
  /** A creator may ask for funds for so many minutes, at least and at most. */
  shortestMinutes: { min: 1, max: 30 },
  /** Calls that one fan may begin in an hour, and to one creator. */
  startsAnHour: 60,
  startsToOneAnHour: 20,
  descriptionLength: 32_000,
  candidateLength: 1_000,
  /** Candidates and descriptions of one side in ten seconds. */
  signalsInTenSeconds: 200,
  /** Heartbeats of one side in ten seconds; what is said beyond is not heard. */
  heardInTenSeconds: 40,
  /** Credentials of the relay: renewed well before. */
  credentialSeconds: 120,
} as const;
/** A creator's verification (row G5). ⚙ `answerDays`. */
export const VERIFICATION = {
  /** Who is younger is no creator. */
  leastAge: 18,
  pictureBytes: 20 * 1024 * 1024,
  /** The shorter side of a document's picture, in pixels: below, its print cannot be read. */
  leastPixels: 480,
  /** Business days until an answer, as it is promised. */
  answerDays: 2,
  /** So long after the decision the selfie and what was refused are kept. */
  keptDays: 30,
  reasonLength: 300,
  /** A signature drawn by finger, on a sheet of 1,000 by 300. */
  strokes: 60,
  points: 2_000,
} as const;
/** ⚙ Pictures that move, which become short silent films: how long, in how many frames, of how many pixels in all. */
export const LOOP = { maxSeconds: 60, maxFrames: 1_500, maxPixels: 1_000_000_000 } as const;
/** How many drafts and scheduled posts a creator keeps, and how far ahead one may be scheduled. */
export const DRAFTS = { max: 500, scheduleDays: 365 } as const;
export const CAPTIONS_MAX_BYTES = 1024 * 1024;
/** Chat (rows E1 to E13). Lengths in characters, times in seconds unless named otherwise. */
export const CHAT_LIMITS = {
  textLength: 5_000,
  noteLength: 2_000,
  files: 10,
  documentBytes: 25 * 1024 * 1024,
  audioBytes: 16 * 1024 * 1024,
  /** A picture or short video in a form; longer ones go by tus at `/files`. */
  formFileBytes: 100 * 1024 * 1024,
  /** What a fan may send at most; creators send as much as VIDEO allows. */
  fanUploadBytes: 512 * 1024 * 1024,
  audioSeconds: 600,
  /** Messages of one account in any ten seconds, and in any minute. */
  inTenSeconds: 20,
  inAMinute: 60,
  /** First messages to creators never written to before, a day. */
  requestsADay: 50,
  declinedDays: 30,
  /** Pending broadcasts that a fan who was away for long still gets, newest first. */
  broadcastsKept: 50,
  broadcastTargets: 500,
  scheduledBroadcasts: 50,
  statusIds: 200,
  /** What a reconnecting socket is sent of what it missed, so many at a time; beyond it the client refetches. */
  replay: 5_000,
  replayPart: 200,
  /** Unread conversations counted at most: "99+". */
  unreadCounted: 100,
  /** So long after it was played to its end, what opens once is taken away even if it was never closed. */
  viewOnceSeconds: 60,
  typingMs: 5_000,
} as const;
/** Cases, and what people write to us. Lengths in characters. ⚙ The clocks stand with the kinds, in the server's `cases/kinds.ts`. */
export const CASES = {
  messageLength: 4_000,
  subjectLength: 120,
  placeLength: 500,
  noteLength: 2_000,
  pictures: 4,
  /** The shorter side of a picture that is sent along, in pixels. */
  leastPixels: 16,
  /** Reports that one person may make in an hour, and tickets in a day. */
  reportsAnHour: 20,
  ticketsADay: 20,
  /** Messages and complaints in a day, of one account or without one from one network; and receipts that one address gets. */
  lettersADay: 30,
  /** Wrong pairs of a number and an address within 15 minutes: with one number, and from one network. */
  wrongOfNumber: 10,
  wrongOfNetwork: 20,
  proofLength: 500,
  receiptsADay: 3,
  /** A suspension, or a limit, in days. */
  days: { min: 1, max: 365 },
  /** Dismissed together. */
  atOnce: 50,
  /** Queues are counted so far, and no further. */
  counted: 999,
  savedAnswers: 100,
  /** Purchases that a case shows, and gives back together. */
  purchases: 20,
} as const;

/** Notices of copyright and counter-notices. Days are business days after a counter-notice (17 U.S.C. 512(g)(2)(C)). */
export const COPYRIGHT = {
  linkLength: 200,
  addressLength: 300,
  placesLength: 4_000,
  /** Addresses that one notice names. */
  places: 10,
  /** ⚙ In which a notice is answered. */
  noticeDays: 2,
  restoreFromDays: 10,
  restoreByDays: 14,
  /** Notices upheld within so many months after which, by rule, an account ends. */
  strikes: 3,
  strikeMonths: 12,
} as const;

/**
 * A creator's team: how many, those who were asked among them, how long an invitation holds, how many a creator sends in a day, those that
 * were taken back or declined among them, as each is a mail; and of how many teams one may be.
 */
export const TEAM = { members: 10, invitationDays: 7, invitationsADay: 20, teams: 20 } as const;

/** What a fan may set as a limit of their own, in cents, inclusive. */
export const OWN_LIMIT_CENTS = { min: 100, max: 10_000_000 } as const;
