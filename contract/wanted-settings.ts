/**
 * Settings that guard money: one operator makes them stricter at once, and weaker only with another. What one wants waits here, beside
 * what is in force, until somebody else confirms it, anybody refuses it, or it is set stricter.
 */
import * as z from 'zod/mini';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { ground } from './processor-desk.ts';

/** Which way each is weaker. */
export const WEAKER = {
  /** In USD: above it a second operator approves a payout. */
  secondApprover: 'higher',
  /** Hours until money goes to a new payout method. */
  coolingHours: 'lower',
  /** Days until what was earned can be paid out. */
  clearingDays: 'lower',
  /** In USD: what a fan may spend in a day. */
  dailySpend: 'higher',
} as const;
export type GuardName = keyof typeof WEAKER;
const GUARDS = ['secondApprover', 'coolingHours', 'clearingDays', 'dailySpend'] as const satisfies readonly GuardName[];
export const guardName = z.enum(GUARDS);
export const GUARD_NAMES: readonly GuardName[] = GUARDS;

/** Whether that change takes two people. */
export function isWeaker(name: GuardName, from: number, to: number): boolean {
  return WEAKER[name] === 'higher' ? to > from : to < from;
}

const wanted = z.object({
  name: guardName,
  /** What it is, and what it would be: USD, hours or days, by its name. */
  from: z.number(),
  to: z.number(),
  operator: z.string(),
  ground: z.string(),
  at: instant,
});
export type WantedSetting = z.infer<typeof wanted>;
const wantedList = z.object({ data: z.array(wanted) });

export const listWantedSettings = route({
  method: 'GET',
  path: '/admin/wanted-settings',
  summary: 'Weaker guards of money that one operator wants, and another has not confirmed',
  auth: 'operator',
  rate: 'read',
  response: wantedList,
});
export const WANTED_DECISIONS = ['confirm', 'refuse'] as const;
export const decideWantedSetting = route({
  method: 'POST',
  path: '/admin/wanted-settings/:name/decision',
  summary: 'Confirm what another operator wants, or refuse it',
  auth: 'operator',
  rate: 'write',
  params: z.object({ name: guardName }),
  body: z.object({
    decision: z.enum(WANTED_DECISIONS),
    /** What is decided on. */
    to: z.number().check(z.gte(0), z.lte(1_000_000)),
    ground,
  }),
  response: wantedList,
  errors: ['CONFLICT'],
});
