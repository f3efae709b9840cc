/** Settings that protect money. One operator can make them stricter, but a weaker value waits for a second one. */
import * as z from 'zod/mini';
import { instant } from '../shared/ids.ts';
import { route } from '../shared/route.ts';
import { reason } from './processor-webhooks.ts';

/** The direction in which each is weaker. */
export const WEAKER_DIRECTIONS = {
  /** USD. */
  secondApprover: 'higher',
  coolingHours: 'lower',
  clearingDays: 'lower',
  /** USD. */
  dailySpend: 'higher',
} as const;
export type GuardedSetting = keyof typeof WEAKER_DIRECTIONS;
const guardedSettings = [
  'secondApprover',
  'coolingHours',
  'clearingDays',
  'dailySpend',
] as const satisfies readonly GuardedSetting[];
export const guardedSetting = z.enum(guardedSettings);
export const GUARDED_SETTINGS: readonly GuardedSetting[] = guardedSettings;

export function isWeakerValue(name: GuardedSetting, from: number, to: number): boolean {
  return WEAKER_DIRECTIONS[name] === 'higher' ? to > from : to < from;
}

const settingApproval = z.object({
  name: guardedSetting,
  /** USD, hours or days. */
  from: z.number(),
  to: z.number(),
  operator: z.string(),
  reason: z.string(),
  at: instant,
});
export type SettingApproval = z.infer<typeof settingApproval>;
const settingApprovalsResponse = z.object({ data: z.array(settingApproval) });

export const listSettingApprovals = route({
  method: 'GET',
  path: '/admin/setting-approvals',
  summary: 'List changes to payment safeguards that need a second approval',
  auth: 'operator',
  rate: 'read',
  response: settingApprovalsResponse,
});
export const APPROVAL_DECISIONS = ['confirm', 'refuse'] as const;
export const decideSettingApproval = route({
  method: 'POST',
  path: '/admin/setting-approvals/:name/decision',
  summary: 'Approve or decline a setting change requested by another operator',
  auth: 'operator',
  rate: 'write',
  params: z.object({ name: guardedSetting }),
  body: z.object({
    decision: z.enum(APPROVAL_DECISIONS),
    to: z.number().check(z.gte(0), z.lte(1_000_000)),
    reason,
  }),
  response: settingApprovalsResponse,
  errors: ['CONFLICT'],
});
