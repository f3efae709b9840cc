/** The periods of spending limits. Pages load this without the schemas of the limits. */

/** UTC days, weeks from Monday, calendar months. */
export const LIMIT_PERIODS = ['day', 'week', 'month'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];
const PERIOD_ADJECTIVES: Record<LimitPeriod, string> = { day: 'daily', week: 'weekly', month: 'monthly' };

export const formatLimitName = (period: LimitPeriod): string => `${PERIOD_ADJECTIVES[period]} spending limit`;
