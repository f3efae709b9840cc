/** Switches as operators see and turn them: what is stopped, and maintenance, each with the words that people are told. */
import * as z from 'zod/mini';
import { instant } from './atoms/ids.ts';
import { route } from './atoms/route.ts';
import { SWITCHES } from './atoms/switches.ts';
import { ground } from './processor-desk.ts';

/** `maintenance` stops every change but those of operators. */
export const SETTINGS = [...SWITCHES, 'maintenance'] as const;
export type Setting = (typeof SETTINGS)[number];

export const NOTICE_LENGTH = 300;
/** As it stands. `words`: what people are told while it is stopped; empty: the usual. */
const standing = z.object({
  isStopped: z.boolean(),
  words: z.string().check(z.trim(), z.maxLength(NOTICE_LENGTH, `At most ${NOTICE_LENGTH} characters`)),
});
export type Standing = z.infer<typeof standing>;

export const switchView = z.extend(standing, {
  name: z.enum(SETTINGS),
  /** When it was last turned. */
  changedAt: z.nullable(instant),
});
export type SwitchView = z.infer<typeof switchView>;

export const listSwitches = route({
  method: 'GET',
  path: '/admin/switches',
  summary: 'What is stopped, and with which words',
  auth: 'operator',
  rate: 'read',
  response: z.object({ data: z.array(switchView) }),
});

export const setSwitch = route({
  method: 'PUT',
  path: '/admin/switches/:name',
  summary: 'Stop something, or let it go on; `from` is what the operator saw',
  auth: 'operator',
  rate: 'write',
  errors: ['CONFLICT'],
  params: z.object({ name: z.enum(SETTINGS) }),
  body: z.object({ from: standing, to: standing, ground }),
  response: switchView,
});
