/** Settings that protect money. One operator can make them stricter, but a weaker value waits for a second one. */
import * as z from 'zod/mini';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { ground } from './processor-desk.ts';

/** The direction in which each is weaker. */
export const WEAKER = {
  /** USD. */
  secondApprover: 'higher',
  coolingHours: 'lower',
  clearingDays: 'lower',
  /** USD. */
  dailySpend: 'higher',
} as const;
export type GuardName = keyof typeof WEAKER;
const GUARDS = ['secondApprover', 'coolingHours', 'clearingDays', 'dailySpend'] as const satisfies readonly GuardName[];
export const guardName = z.enum(GUARDS);
export const GUARD_NAMES: readonly GuardName[] = GUARDS;

export function isWeaker(name: GuardName, from: number, to: number): boolean {
  return WEAKER[name] === 'higher' ? to > from : to < from;
}

const wanted = z.object({
  name: guardName,
  /** USD, hours or days. */
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
  summary: 'List changes to payment safeguards that need a second approval',
  auth: 'operator',
  rate: 'read',
  response: wantedList,
});
export const WANTED_DECISIONS = ['confirm', 'refuse'] as const;
export const decideWantedSetting = route({
  method: 'POST',
  path: '/admin/wanted-settings/:name/decision',
  summary: 'Approve or decline a setting change requested by another operator',
  auth: 'operator',
  rate: 'write',
  params: z.object({ name: guardName }),
  body: z.object({
    decision: z.enum(WANTED_DECISIONS),
    to: z.number().check(z.gte(0), z.lte(1_000_000)),
    ground,
  }),
  response: wantedList,
  errors: ['CONFLICT'],
});
