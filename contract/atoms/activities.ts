/** What an account may be kept from for a time, by an operator. A route names its own; what happens without a route asks for itself. */
export const ACTIVITIES = ['chat', 'posting', 'payouts'] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** Of each, until when its person is kept from it, in ISO form. */
export type Limited = Readonly<Partial<Record<Activity, string>>>;

const CLOSED: Readonly<Record<Activity, string>> = {
  chat: 'You cannot write messages',
  posting: 'You cannot publish',
  payouts: 'You are not paid out',
};

/** 5 December 2026. */
export function dayWords(iso: string): string {
  return new Date(iso).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
}

/** What somebody is told who is kept from it until then. */
export function closedActivityWords(activity: Activity, until: string | null): string {
  return `${CLOSED[activity]}${until === null ? '' : ` until ${dayWords(until)}`}.`;
}
