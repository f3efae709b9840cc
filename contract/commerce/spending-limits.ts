import * as z from 'zod/mini';
import { reauthentication } from '../identity/accounts.ts';
import { instant } from '../shared/ids.ts';
import { SPENDING_LIMIT_CENTS } from '../shared/module-limits.ts';
import { createUsdSchema, usd } from '../shared/money.ts';
import { route } from '../shared/route.ts';
import { LIMIT_PERIODS } from './limit-periods.ts';

/** Days of 24 hours. */
export const BREAK_DAYS = [1, 7, 30, 90] as const;
export type BreakDays = (typeof BREAK_DAYS)[number];

export const spendingLimitView = z.object({
  period: z.enum(LIMIT_PERIODS),
  limit: z.nullable(usd),
  max: z.nullable(usd),
  spent: usd,
  /** A pending increase; a null limit removes it. */
  increase: z.nullable(z.object({ limit: z.nullable(usd), from: instant })),
});
export type SpendingLimitView = z.infer<typeof spendingLimitView>;

export const spendingControls = z.object({
  limits: z.array(spendingLimitView),
  breakUntil: z.nullable(instant),
});
export type SpendingControls = z.infer<typeof spendingControls>;

export const spendingLimitAmount = createUsdSchema(SPENDING_LIMIT_CENTS.min, SPENDING_LIMIT_CENTS.max);
const periodParams = z.object({ period: z.enum(LIMIT_PERIODS) });

export const getSpendingLimits = route({
  method: 'GET',
  path: '/customer/spending-limits',
  summary: 'Retrieve the fan’s spending limits, current spending and spending break',
  auth: 'customer',
  rate: 'read',
  response: spendingControls,
});
export const updateSpendingLimit = route({
  method: 'PUT',
  path: '/customer/spending-limits/:period',
  summary: 'Set a daily, weekly or monthly spending limit. Raising or removing it takes effect after 24 hours',
  auth: 'customer',
  allowedInMaintenance: true,
  rate: 'write',
  params: periodParams,
  body: z.object({ limit: z.nullable(spendingLimitAmount) }),
  response: spendingControls,
});
export const cancelLimitIncrease = route({
  method: 'DELETE',
  path: '/customer/spending-limits/:period/raise',
  summary: 'Cancel a pending increase of a spending limit',
  auth: 'customer',
  allowedInMaintenance: true,
  rate: 'write',
  params: periodParams,
  response: spendingControls,
  errors: ['NOT_FOUND'],
});

export const breakDays = z.literal(BREAK_DAYS, 'Choose how long');
export const startSpendingBreak = route({
  method: 'POST',
  path: '/customer/break/spending',
  summary: 'Start a break from spending. It can’t be shortened',
  auth: 'customer',
  allowedInMaintenance: true,
  rate: 'write',
  body: z.object({ days: breakDays }),
  response: spendingControls,
});
/** Logs out all sessions. It needs the password because it cannot be undone. */
export const startAccountBreak = route({
  method: 'POST',
  path: '/customer/break/account',
  summary: 'Start a break from the account. It can’t be shortened',
  auth: 'customer',
  allowedInMaintenance: true,
  rate: 'sensitive',
  body: z.object({ days: breakDays, ...reauthentication.shape }),
  response: z.object({ until: instant, info: z.string() }),
  errors: ['FORBIDDEN'],
});
