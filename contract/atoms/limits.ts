/** The business constants of the product (docs/product.md, docs/money.md). What operators change beside them stands in `fees-desk.ts` and `prices.ts`. */

export const CREDIT_PRICE_CENTS = 1020;
/** ⚙ What one credit adds to the balance. */
export const CREDIT_VALUE_CENTS = 1000;
export const CREDIT_PACKAGES = [30, 60, 90] as const;
export const CUSTOM_CREDITS = { min: 10, max: 90 } as const;
/** The card fee that deposits are grossed up by, in percent. */
export const DEPOSIT_FEE_PERCENT = 2;

/** In cents, inclusive: what a tip goal may take, and in how many days it may end. */
export const GOAL_CENTS = { min: 1_000, max: 10_000_000 } as const;
export const GOAL_DAYS = { min: 1, max: 365 } as const;
export const GOAL_TITLE_LENGTH = 60;
export const DAILY_SPEND_CENTS = 50_000;

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
/** Posts that a creator shows first, and links that they name themselves. */
export const PINNED_POSTS = 3;
export const OWN_LINKS = { most: 5, labelLength: 40, urlLength: 300 } as const;
export const TITLE_LENGTH = 120;
export const MEDIA_TITLE_LENGTH = 120;
export const TAG_LENGTH = 40;
export const ALT_LENGTH = 500;
export const NAME_LENGTH = 60;
export const CRAFT_LENGTH = 60;
export const CITY_LENGTH = 60;
export const BIO_LENGTH = 1_000;
export const TIP_NOTE_LENGTH = 200;

/** What people search for, in characters, and how many words of it count. */
export const SEARCH_LENGTH = 100;
export const SEARCH_WORDS = 5;

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
/** Presence: two missed heartbeats (and some seconds for the way) are offline, five minutes without activity are away. */
export const PRESENCE = { offlineMs: 65_000, awayMs: 5 * 60_000, shownMs: 35_000, goneMs: 1_500, ids: 100 } as const;

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
