import * as z from 'zod/mini';
import { instant } from '../shared/ids.ts';
import { KILL_SWITCHES } from '../shared/kill-switches.ts';
import { route } from '../shared/route.ts';
import { reason } from './processor-webhooks.ts';

/** `maintenance` stops all changes except those of operators. */
export const SITE_SWITCHES = [...KILL_SWITCHES, 'maintenance'] as const;
export type SiteSwitch = (typeof SITE_SWITCHES)[number];

export const SWITCH_MESSAGE_LENGTH = 300;
/** `message` is for users; empty for the default. */
const switchState = z.object({
  isDisabled: z.boolean(),
  message: z
    .string()
    .check(z.trim(), z.maxLength(SWITCH_MESSAGE_LENGTH, `At most ${SWITCH_MESSAGE_LENGTH} characters`)),
});
export type SwitchState = z.infer<typeof switchState>;

export const switchView = z.extend(switchState, {
  name: z.enum(SITE_SWITCHES),
  changedAt: z.nullable(instant),
});
export type SwitchView = z.infer<typeof switchView>;

/** What happens to renewals that fell due while subscriptions were stopped: each is charged once, or is free. */
export const MISSED_RENEWALS = ['charge', 'waive'] as const;
export type MissedRenewals = (typeof MISSED_RENEWALS)[number];

export const listKillSwitches = route({
  method: 'GET',
  path: '/admin/kill-switches',
  summary: 'List kill switches and their messages',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(switchView) }),
});

export const updateKillSwitch = route({
  method: 'PUT',
  path: '/admin/kill-switches/:name',
  summary: 'Turn a kill switch on or off; fails with CONFLICT if the state is no longer `from`',
  auth: 'operator',
  rate: 'write',
  errors: ['CONFLICT'],
  params: z.object({ name: z.enum(SITE_SWITCHES) }),
  body: z.object({
    from: switchState,
    to: switchState,
    reason,
    /** Only for subscriptions that are resumed. */
    missedRenewals: z._default(z.enum(MISSED_RENEWALS), 'charge'),
  }),
  response: switchView,
});
