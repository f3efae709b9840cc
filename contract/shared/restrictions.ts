/** Activities that an operator can restrict for an account. Routes declare theirs; other code checks by itself. */
export const RESTRICTED_ACTIVITIES = ['chat', 'posting', 'payouts'] as const;
export type RestrictedActivity = (typeof RESTRICTED_ACTIVITIES)[number];

/** ISO time at which each restriction ends. */
export type Restrictions = Readonly<Partial<Record<RestrictedActivity, string>>>;

const RESTRICTION_MESSAGES: Readonly<Record<RestrictedActivity, string>> = {
  chat: 'You can’t send messages',
  posting: 'You can’t publish',
  payouts: 'Payouts are on hold',
};

export function formatLongDay(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

export function formatRestriction(activity: RestrictedActivity, until: string | null): string {
  return `${RESTRICTION_MESSAGES[activity]}${until === null ? '' : ` until ${formatLongDay(until)}`}.`;
}
