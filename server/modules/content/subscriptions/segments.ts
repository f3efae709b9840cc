import type { SubscriberSegment } from '@stagedoor/contract/content/subscriptions.ts';

/** A canceled subscription whose period is over may not have been ended by the job yet. */
const isCurrent = (at: string) =>
  `s.started_at <= ${at} and s.ended_at is null and (s.is_renewing or s.paid_until is null or s.paid_until > ${at})`;

/** SQL columns or parameters, never values. */
type SegmentSql = {
  creator: string;
  /** The current time. */
  at: string;
  /** The id of a tier, for the segment `tier`. */
  tier: string;
};

/** Selects the fans of a group of subscribers as `fan_id`, each once. */
export function subscriberSegmentSql(segment: SubscriberSegment, { creator, at: time, tier }: SegmentSql): string {
  const at = `${time}::timestamptz`;
  const conditions: Readonly<Record<SubscriberSegment, string>> = {
    subscribers: isCurrent(at),
    tier: `${isCurrent(at)} and s.tier_id = ${tier}`,
    newSubscribers: `${isCurrent(at)} and s.joined_at > ${at} - interval '30 days'`,
    trials: `${isCurrent(at)} and s.paid_until is not null and s.period_number = 0 and s.failed_attempts = 0`,
    pastDue: `${isCurrent(at)} and s.failed_attempts > 0`,
    expiring: `${isCurrent(at)} and s.paid_until is not null and not s.is_renewing`,
    ended: `s.ended_at > ${at} - interval '90 days' and not exists (
      select from subscriptions c where c.fan_id = s.fan_id and c.creator_id = s.creator_id and c.ended_at is null)`,
  };
  return `select distinct s.fan_id from subscriptions s where s.creator_id = ${creator} and ${conditions[segment]}`;
}
