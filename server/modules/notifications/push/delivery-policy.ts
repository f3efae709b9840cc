import type { Urgency } from 'web-push';

export const RING_KIND = 'ring';
export const RING_END_KIND = 'ringEnd';
export const MESSAGE_KIND = 'newMessage';

type DeliveryPolicy = {
  readonly ttlSeconds: number;
  readonly urgency: Urgency;
  /** Quiet hours and the cap do not stop it, and it does not count towards the cap. */
  readonly ignoresLimits?: boolean;
  /** It is also sent to a user with a visible page, because someone else may be using the account. */
  readonly isSentWhileVisible?: boolean;
  /** It is useless later, so it is sent even to a paused service. */
  readonly isImmediate?: boolean;
  /** Quiet hours and the cap delay it and do not drop it. */
  readonly canWait?: boolean;
};

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
const DEFAULT_POLICY: DeliveryPolicy = { ttlSeconds: DAY, urgency: 'normal' };
const SECURITY_POLICY: DeliveryPolicy = {
  ttlSeconds: 7 * DAY,
  urgency: 'high',
  ignoresLimits: true,
  isSentWhileVisible: true,
};
/** Changes to the user's own money that they did not cause. */
const MONEY_POLICY: DeliveryPolicy = { ttlSeconds: 3 * DAY, urgency: 'normal', canWait: true };
const POLICIES = new Map<string, DeliveryPolicy>([
  [RING_KIND, { ttlSeconds: 45, urgency: 'high', ignoresLimits: true, isSentWhileVisible: true, isImmediate: true }],
  [
    RING_END_KIND,
    { ttlSeconds: 45, urgency: 'high', ignoresLimits: true, isSentWhileVisible: true, isImmediate: true },
  ],
  [MESSAGE_KIND, { ttlSeconds: DAY, urgency: 'high' }],
  ['security', SECURITY_POLICY],
  ['payoutMethod', SECURITY_POLICY],
  ['depositArrived', MONEY_POLICY],
  ['depositFailed', MONEY_POLICY],
  ['paymentReturned', MONEY_POLICY],
  ['refund', MONEY_POLICY],
  ['saleRefunded', MONEY_POLICY],
  ['holdExpired', MONEY_POLICY],
  ['debt', MONEY_POLICY],
  ['payout', MONEY_POLICY],
  ['renewalFailed', MONEY_POLICY],
  ['renewalReminder', MONEY_POLICY],
  ['newPrice', MONEY_POLICY],
  ['tierDeleted', MONEY_POLICY],
  ['periodWaived', MONEY_POLICY],
  ['subscriptionEnded', MONEY_POLICY],
  ['subscriberLeft', { ttlSeconds: DAY, urgency: 'low' }],
  ['policy', { ttlSeconds: 7 * DAY, urgency: 'low' }],
  ['commissionEarned', { ttlSeconds: DAY, urgency: 'low' }],
  ['creatorOnline', { ttlSeconds: HOUR, urgency: 'low' }],
  ['newPost', { ttlSeconds: DAY, urgency: 'low' }],
]);

export const getDeliveryPolicy = (kind: string): DeliveryPolicy => POLICIES.get(kind) ?? DEFAULT_POLICY;
export const UNLIMITED_KINDS = [...POLICIES].flatMap(([kind, { ignoresLimits }]) => (ignoresLimits ? [kind] : []));

/** The ranks: rings, urgent pushes, and pushes to many users. None of them waits for another. */
export const RING_RANK = 0;
export const URGENT_RANK = 1;
export const NORMAL_RANK = 2;
export const PUSH_RANKS = [RING_RANK, URGENT_RANK, NORMAL_RANK] as const;
export type PushRank = (typeof PUSH_RANKS)[number];

export function getPushRank(kind: string): PushRank {
  const { isImmediate, urgency } = getDeliveryPolicy(kind);
  if (isImmediate) return RING_RANK;
  return urgency === 'high' ? URGENT_RANK : NORMAL_RANK;
}
