import * as z from 'zod/mini';
import { proof } from './accounts.ts';
import { instant } from './atoms/ids.ts';
import { usd, usdBetween } from './atoms/money.ts';
import { OWN_LIMIT_CENTS } from './atoms/room-limits.ts';
import { route } from './atoms/route.ts';

/** UTC days, weeks from Monday, calendar months. */
export const LIMIT_PERIODS = ['day', 'week', 'month'] as const;
export type LimitPeriod = (typeof LIMIT_PERIODS)[number];
const NAMES: Record<LimitPeriod, string> = { day: 'daily', week: 'weekly', month: 'monthly' };

export const limitName = (period: LimitPeriod): string => `${NAMES[period]} spending limit`;

/** Days of 24 hours. */
export const BREAK_DAYS = [1, 7, 30, 90] as const;
export type BreakDays = (typeof BREAK_DAYS)[number];

export const ownLimit = z.object({
  period: z.enum(LIMIT_PERIODS),
  limit: z.nullable(usd),
  most: z.nullable(usd),
  spent: usd,
  /** A pending increase; a null limit removes it. */
  raise: z.nullable(z.object({ limit: z.nullable(usd), from: instant })),
});
export type OwnLimit = z.infer<typeof ownLimit>;

export const ownLimits = z.object({
  limits: z.array(ownLimit),
  pausedUntil: z.nullable(instant),
});
export type OwnLimits = z.infer<typeof ownLimits>;

export const ownLimitAmount = usdBetween(OWN_LIMIT_CENTS.min, OWN_LIMIT_CENTS.max);
const period = z.object({ period: z.enum(LIMIT_PERIODS) });

export const getOwnLimits = route({
  method: 'GET',
  path: '/customer/own-limits',
  summary: 'Retrieve the fan’s spending limits, current spending and spending break',
  auth: 'customer',
  rate: 'read',
  response: ownLimits,
});
export const setOwnLimit = route({
  method: 'PUT',
  path: '/customer/own-limits/:period',
  summary: 'Set a daily, weekly or monthly spending limit. Raising or removing it takes effect after 24 hours',
  auth: 'customer',
  goesOn: true,
  rate: 'write',
  params: period,
  body: z.object({ limit: z.nullable(ownLimitAmount) }),
  response: ownLimits,
});
export const withdrawRaise = route({
  method: 'DELETE',
  path: '/customer/own-limits/:period/raise',
  summary: 'Cancel a pending increase of a spending limit',
  auth: 'customer',
  goesOn: true,
  rate: 'write',
  params: period,
  response: ownLimits,
  errors: ['NOT_FOUND'],
});

export const breakDays = z.literal(BREAK_DAYS, 'Choose how long');
export const beginSpendingBreak = route({
  method: 'POST',
  path: '/customer/break/spending',
  summary: 'Start a break from spending. It can’t be shortened',
  auth: 'customer',
  goesOn: true,
  rate: 'write',
  body: z.object({ days: breakDays }),
  response: ownLimits,
});
/** Logs out all sessions. It needs the password because it cannot be undone. */
export const beginAccountBreak = route({
  method: 'POST',
  path: '/customer/break/account',
  summary: 'Start a break from the account. It can’t be shortened',
  auth: 'customer',
  goesOn: true,
  rate: 'sensitive',
  body: z.object({ days: breakDays, ...proof.shape }),
  response: z.object({ until: instant, info: z.string() }),
  errors: ['FORBIDDEN'],
});
