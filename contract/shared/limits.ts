/**
 * Business constants (docs/product.md, docs/money.md). ⚙ marks values that the operator decides. Runtime settings are
 * in `admin/fees.ts` and `commerce/price-limits.ts`.
 */

export const CREDIT_PRICE_CENTS = 1020;
export const CREDIT_VALUE_CENTS = 1000;
export const CREDIT_PACKAGES = [30, 60, 90] as const;
export const CUSTOM_CREDITS = { min: 10, max: 90 } as const;
/** Percent for the gross-up of deposits. */
export const DEPOSIT_FEE_PERCENT = 2;

/** Target in cents, and days until the end. Both ranges are inclusive. */
export const TIP_GOAL_CENTS = { min: 1_000, max: 10_000_000 } as const;
export const TIP_GOAL_DAYS = { min: 1, max: 365 } as const;
export const TIP_GOAL_TITLE_LENGTH = 60;
export const DAILY_SPEND_CENTS = 50_000;

/** ⚙ `offerPercent` applies in a creator's first days. */
export const DEFAULT_FEES = { generalPercent: 20, offerPercent: 10, offerDays: 90 } as const;
export const CLEARING_DAYS = 7;
export const PAYOUT_DEFAULTS = {
  minimumCents: 2_000,
  cryptoMinimumCents: 5_000,
  referralsMinimumCents: 5_000,
  referralsFeePercent: 2,
  coolingHours: 72,
  /** Above it a second operator must approve. */
  secondApproverCents: 100_000,
} as const;
export const PAYOUT_METHODS_MAX = 10;

/**
 * ⚙ `percent` is of the gross of a referred user's sales or purchases, for `months` from approval. `move…` concerns
 * transfers to the own balance.
 */
export const AFFILIATE_DEFAULTS = { percent: 5, months: 12, moveMinCents: 100, moveFeePercent: 0 } as const;

export const SUBSCRIPTION_LIMITS = {
  tiers: 5,
  nameLength: 30,
  benefits: 6,
  benefitLength: 80,
  bundlePercentMax: 50,
  slotsMax: 100_000,
} as const;
/** ⚙ Discounts of subscriptions. `running`: those of a creator at the same time. */
export const OFFER_LIMITS = {
  running: 20,
  codeLength: { min: 3, max: 20 },
  percent: { min: 5, max: 90 },
  periods: { min: 1, max: 12 },
  usesMax: 100_000,
  daysMax: 365,
} as const;
/** How many codes an account, or a network without one, may look up in the window. The limit prevents guessing codes. */
export const OFFER_LOOKUPS = { perAccount: 30, perNetwork: 60, windowMs: 10 * 60_000 } as const;
/**
 * ⚙ The longest trial, the hours after the end of a period when a failed renewal is tried again, with access until the
 * last attempt, and the hours after a charge in which it is refunded if nothing of the creator was opened since.
 */
export const SUBSCRIPTION_DEFAULTS = {
  trialDaysMax: 30,
  firstRetryHours: 24,
  secondRetryHours: 48,
  thirdRetryHours: 72,
  graceHours: 120,
  refundHours: 24,
} as const;
/** `graceHours` is less than a week, so that no attempt is made after the next period of a weekly subscription began. */
export const SUBSCRIPTION_BOUNDS = { trialDays: 90, graceHours: 144, refundHours: 168 } as const;
/** A reminder is sent three days before a renewal of at least this price, and before each yearly one. */
export const RENEWAL_REMINDER = { days: 3, minCents: 2_000 } as const;

/** Section 9 of the specification, "10, 20, 4000, 1, 20, 10". */
export const POST_LIMITS = {
  pageSize: 10,
  files: 20,
  captionLength: 4_000,
  minFiles: 1,
  tags: 20,
  people: 10,
} as const;
export const PINNED_POSTS = 3;
/** Posts whose audience one request may change. */
export const AUDIENCE_CHANGES_MAX = 100;
export const CUSTOM_LINKS = { max: 5, labelLength: 40, urlLength: 300 } as const;
export const TITLE_LENGTH = 120;
export const MEDIA_TITLE_LENGTH = 120;
export const TAG_LENGTH = 40;
export const ALT_LENGTH = 500;
export const NAME_LENGTH = 60;
export const CRAFT_LENGTH = 60;
export const CITY_LENGTH = 60;
export const BIO_LENGTH = 1_000;
export const THEME_CODE_LENGTH = 120;
/** Of an address that a login, a confirmed email address or a deposit leads to. */
export const DESTINATION_LENGTH = 2_000;
export const TIP_NOTE_LENGTH = 200;

export const SEARCH_LENGTH = 100;
export const SEARCH_TERMS_MAX = 5;

/** Uploads are scaled to these widths (row C8). */
export const PICTURE_LIMITS = {
  maxBytes: 40 * 1024 * 1024,
  maxPixels: 50_000_000,
  /** Decoders hold whole rows, so that a row of 50,000,000 pixels needs 400 MB. */
  maxSidePixels: 32_768,
  quality: 75,
} as const;
export const PICTURE_WIDTHS = [16, 48, 96, 192, 384, 640, 1080, 1920, 3840] as const;
export const DELETED_MEDIA_DAYS = 30;
/** No layout shows media smaller; smaller files are available only by URL. */
export const SRCSET_MIN_WIDTH = 96;

/** ⚙ Renditions are never higher than the source. */
export const VIDEO_LIMITS = {
  maxBytes: 8 * 1024 * 1024 * 1024,
  maxSeconds: 4 * 60 * 60,
  maxPixels: 4096 * 2304,
  maxSidePixels: 8_192,
  heights: [1080, 720, 480, 360],
  segmentSeconds: 4,
  teaserSeconds: 45,
  /** See row C10 of the specification. */
  bufferSeconds: 15,
  controlHeightPx: 50,
} as const;
/** A user is offline after two missed heartbeats plus latency, and away after five minutes without activity. */
export const PRESENCE_TIMING = {
  offlineMs: 65_000,
  awayMs: 5 * 60_000,
  shownMs: 35_000,
  disconnectGraceMs: 1_500,
  ids: 100,
} as const;

/** Minimum time between mails of one kind to an account. */
export const MAIL_INTERVAL_SECONDS = 60;
export const HEARTBEAT_MS = 30_000;
export const NEW_POST_BAR = { scrollPx: 200, maxWidthPx: 300 } as const;
export const ROUTE_HISTORY = 4;

/** Socket reconnection (row E12). */
export const SOCKET_RECONNECT = {
  retryMs: 2_000,
  retries: 3,
  delayMs: 1_000,
  delayMaxMs: 5_000,
  timeoutMs: 20_000,
} as const;

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
