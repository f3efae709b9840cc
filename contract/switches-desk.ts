import * as z from 'zod/mini';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { SWITCHES } from './atoms/switches.ts';
import { ground } from './processor-desk.ts';

/** `maintenance` stops all changes except those of operators. */
export const SETTINGS = [...SWITCHES, 'maintenance'] as const;
export type Setting = (typeof SETTINGS)[number];

export const NOTICE_LENGTH = 300;
/** `words`: message for users; empty for the default. */
const standing = z.object({
  isStopped: z.boolean(),
  words: z.string().check(z.trim(), z.maxLength(NOTICE_LENGTH, `At most ${NOTICE_LENGTH} characters`)),
});
export type Standing = z.infer<typeof standing>;

export const switchView = z.extend(standing, {
  name: z.enum(SETTINGS),
  changedAt: z.nullable(instant),
});
export type SwitchView = z.infer<typeof switchView>;

export const listSwitches = route({
  method: 'GET',
  path: '/admin/switches',
  summary: 'List kill switches and their messages',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(switchView) }),
});

export const setSwitch = route({
  method: 'PUT',
  path: '/admin/switches/:name',
  summary: 'Turn a kill switch on or off; fails with CONFLICT if the state is no longer `from`',
  auth: 'operator',
  rate: 'write',
  errors: ['CONFLICT'],
  params: z.object({ name: z.enum(SETTINGS) }),
  body: z.object({ from: standing, to: standing, ground }),
  response: switchView,
});
