/** How each kind is pushed: how long it is worth something, how much it hurries, and what it passes. */
import type { Urgency } from 'web-push';

/** Beside the kinds of the list: somebody calls, they do no longer, somebody wrote. */
export const RING = 'ring';
export const RING_END = 'ringEnd';
export const MESSAGE = 'newMessage';

type Way = {
  readonly ttlSeconds: number;
  readonly urgency: Urgency;
  /** Quiet hours and the cap do not hold it, nor does it count. */
  readonly passes?: boolean;
  /** It comes to whoever has the app in front of them, too: that may be somebody else than whose account it is. */
  readonly isForAll?: boolean;
  /** It is worth nothing later: a service that rests is asked all the same. */
  readonly isForNow?: boolean;
  /** Quiet hours and the cap put it off, and lose it no more than the list does. */
  readonly waits?: boolean;
};

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const USUAL: Way = { ttlSeconds: DAY, urgency: 'normal' };
/** Of what protects the account. */
const PROTECTS: Way = { ttlSeconds: 7 * DAY, urgency: 'high', passes: true, isForAll: true };
/** What became of somebody's own money, without their doing. */
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
/** What does not count towards somebody's pushes of an hour. */
export const PASSING = [...WAYS].flatMap(([kind, { passes }]) => (passes ? [kind] : []));

/** What rings; what hurries; what many are told. None of them waits for another. */
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
