/** The business constants of the product (docs/product.md, docs/money.md). Operator settings override those marked ⚙ on the server. */

export const CREDIT_PRICE_CENTS = 1020;
/** ⚙ What one credit adds to the balance. */
export const CREDIT_VALUE_CENTS = 1000;
export const CREDIT_PACKAGES = [30, 60, 90] as const;
export const CUSTOM_CREDITS = { min: 10, max: 90 } as const;
/** ⚙ The add-funds modal's limits, in USD of balance. */
export const ADD_FUNDS_USD = { min: 10, max: 900 } as const;
/** The card fee that deposits are grossed up by, in percent. */
export const DEPOSIT_FEE_PERCENT = 2;

/** ⚙ All in cents, inclusive. */
export const TIP_CENTS = { min: 100, max: 20_000 } as const;
export const POST_PRICE_CENTS = { min: 300, max: 5_000 } as const;
export const DAILY_SPEND_CENTS = 50_000;
export const CALL_RATE_CENTS = { min: 100, max: 5_000 } as const;

/** ⚙ Platform commission in percent: the general one, and the promotional one for a creator's first days. */
export const FEES = { generalPercent: 20, offerPercent: 10, offerDays: 90 } as const;
/** ⚙ Days until pending earnings clear to available. */
export const CLEARING_DAYS = 7;
/** ⚙ Payouts: the least of each kind and of commissions, in cents; what is withheld of commissions; and the operator's caution. */
export const PAYOUTS = {
  minimumCents: 2_000,
  cryptoMinimumCents: 5_000,
  referralsMinimumCents: 5_000,
  referralsFeePercent: 2,
  /** A new method waits so long before money goes there. */
  coolingHours: 72,
  /** Above it a second operator approves. */
  secondApproverCents: 100_000,
} as const;
/** Where one may be paid out to at once. */
export const PAYOUT_METHODS_MOST = 10;

/**
 * ⚙ Affiliates: percent of the gross of what each person sells or buys, for so many months from their approval; what a move
 * into the own balance must be at least, and the percent withheld of it.
 */
export const AFFILIATE = { percent: 5, months: 12, moveMinCents: 100, moveFeePercent: 0 } as const;

/** Post-page limits (section 9, "10, 20, 4000, 1, 20, 10"). */
export const POST_LIMITS = {
  pageSize: 10,
  files: 20,
  captionLength: 4_000,
  minFiles: 1,
  tags: 20,
  people: 10,
} as const;
/** How many drafts and scheduled posts a creator keeps, and how far ahead one may be scheduled. */
export const DRAFTS = { max: 500, scheduleDays: 365 } as const;
export const TITLE_LENGTH = 120;
export const MEDIA_TITLE_LENGTH = 120;
export const TAG_LENGTH = 40;
export const ALT_LENGTH = 500;
export const NAME_LENGTH = 60;
export const CRAFT_LENGTH = 60;
export const CITY_LENGTH = 60;
export const BIO_LENGTH = 1_000;
export const TIP_NOTE_LENGTH = 200;

/** Picture uploads: bytes and pixels accepted, and the widths made of each (row C8). */
export const PICTURE = { maxBytes: 40 * 1024 * 1024, maxPixels: 50_000_000, quality: 75 } as const;
export const PICTURE_WIDTHS = [16, 48, 96, 192, 384, 640, 1080, 1920, 3840] as const;
/** What an owner deletes rests so long before its bytes go. */
export const DELETED_MEDIA_DAYS = 30;
/** No layout shows a medium in fewer pixels: smaller ones are for who asks by address, and left out of `srcset`. */
export const SRCSET_MIN_WIDTH = 96;

/** ⚙ Video and audio uploads, and what is made of them. Heights are never above the source's. */
export const VIDEO = {
  maxBytes: 8 * 1024 * 1024 * 1024,
  maxSeconds: 4 * 60 * 60,
  maxPixels: 4096 * 2304,
  heights: [1080, 720, 480, 360],
  segmentSeconds: 4,
  /** Decisions: "a teaser of at most 45 s". */
  teaserSeconds: 45,
  /** Row C10. */
  bufferSeconds: 15,
  controlHeightPx: 50,
} as const;
/** ⚙ Pictures that move, which become short silent films: how long, in how many frames, of how many pixels in all. */
export const LOOP = { maxSeconds: 60, maxFrames: 1_500, maxPixels: 1_000_000_000 } as const;
/** ⚙ What a message may cost, in cents, inclusive. */
export const CHAT_PRICE_CENTS = { min: 300, max: 20_000 } as const;
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
  presenceIds: 100,
  /** What a reconnecting socket is sent of what it missed, so many at a time; beyond it the client refetches. */
  replay: 5_000,
  replayPart: 200,
  /** Unread conversations counted at most: "99+". */
  unreadCounted: 100,
  /** After playback began, a view-once file is taken away even if it was never closed. */
  viewOnceSeconds: 60,
  typingMs: 5_000,
} as const;
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
/** Presence: two missed heartbeats (and some seconds for the way) are offline, five minutes without activity are away. */
export const PRESENCE = { offlineMs: 65_000, awayMs: 5 * 60_000, goneMs: 1_500 } as const;

export const CAPTIONS_MAX_BYTES = 1024 * 1024;

export const TOAST_MS = 5_000;
/** An account gets at most one mail of a kind in this time, however often it is asked for. */
export const MAIL_PAUSE_SECONDS = 60;
export const HEARTBEAT_MS = 30_000;
export const NEW_POST_BAR = { scrollPx: 200, maxWidthPx: 300 } as const;
export const ROUTE_HISTORY = 4;

/** Socket reconnection (row E12). */
export const SOCKET = { retryMs: 2_000, retries: 3, delayMs: 1_000, delayMaxMs: 5_000, timeoutMs: 20_000 } as const;

export const CATEGORIES = [
  'Music',
  'Ceramics',
  'Dance',
  'Photography',
  'Kitchen',
  'Strength',
  'Paper & print',
  'Film',
] as const;
export const SOCIAL_NETWORKS = [
  'facebook',
  'instagram',
  'linkedin',
  'pinterest',
  'reddit',
  'snapchat',
  'spotify',
  'tiktok',
  'twitch',
  'twitter',
  'x',
  'youtube',
] as const;
