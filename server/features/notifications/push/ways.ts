import type { Urgency } from 'web-push';

export const RING = 'ring';
export const RING_END = 'ringEnd';
export const MESSAGE = 'newMessage';

type Way = {
  readonly ttlSeconds: number;
  readonly urgency: Urgency;
  /** Quiet hours and the cap do not stop it, and it does not count towards the cap. */
  readonly passes?: boolean;
  /** It is also sent to a user with a visible page, because someone else may be using the account. */
  readonly isForAll?: boolean;
  /** It is useless later, so it is sent even to a paused service. */
  readonly isForNow?: boolean;
  /** Quiet hours and the cap delay it and do not drop it. */
  readonly waits?: boolean;
};

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const USUAL: Way = { ttlSeconds: DAY, urgency: 'normal' };
const PROTECTS: Way = { ttlSeconds: 7 * DAY, urgency: 'high', passes: true, isForAll: true };
/** Changes to the user's own money that they did not cause. */
const MONEY: Way = { ttlSeconds: 3 * DAY, urgency: 'normal', waits: true };
const WAYS = new Map<string, Way>([
  [RING, { ttlSeconds: 45, urgency: 'high', passes: true, isForAll: true, isForNow: true }],
  [RING_END, { ttlSeconds: 45, urgency: 'high', passes: true, isForAll: true, isForNow: true }],
  [MESSAGE, { ttlSeconds: DAY, urgency: 'high' }],
  ['security', PROTECTS],
  ['payoutMethod', PROTECTS],
  ['depositArrived', MONEY],
  ['depositFailed', MONEY],
  ['paymentReturned', MONEY],
  ['refund', MONEY],
  ['givenBack', MONEY],
  ['holdExpired', MONEY],
  ['debt', MONEY],
  ['payout', MONEY],
  ['policy', { ttlSeconds: 7 * DAY, urgency: 'low' }],
  ['commissionEarned', { ttlSeconds: DAY, urgency: 'low' }],
  ['creatorOnline', { ttlSeconds: HOUR, urgency: 'low' }],
  ['newPost', { ttlSeconds: DAY, urgency: 'low' }],
]);

export const wayOf = (kind: string): Way => WAYS.get(kind) ?? USUAL;
export const PASSING = [...WAYS].flatMap(([kind, { passes }]) => (passes ? [kind] : []));

/** The ranks: rings, urgent pushes, and pushes to many users. None of them waits for another. */
export const RINGS = 0;
export const HURRIES = 1;
export const OTHERS = 2;
export const RANKS = [RINGS, HURRIES, OTHERS] as const;
export type Rank = (typeof RANKS)[number];

export function rankOf(kind: string): Rank {
  const { isForNow, urgency } = wayOf(kind);
  if (isForNow) return RINGS;
  return urgency === 'high' ? HURRIES : OTHERS;
}
