/** Activities that an operator can restrict for an account. Routes declare theirs; other code checks by itself. */
export const ACTIVITIES = ['chat', 'posting', 'payouts'] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** ISO time at which each restriction ends. */
export type Limited = Readonly<Partial<Record<Activity, string>>>;

const CLOSED: Readonly<Record<Activity, string>> = {
  chat: 'You can’t send messages',
  posting: 'You can’t publish',
  payouts: 'Payouts are on hold',
};

export function dayWords(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

export function closedActivityWords(activity: Activity, until: string | null): string {
  return `${CLOSED[activity]}${until === null ? '' : ` until ${dayWords(until)}`}.`;
}
