import * as z from 'zod/mini';
import { subscriptionTierId } from '../shared/ids.ts';

/**
 * Who may call a creator. `conversations`: fans whose chat with the creator is open. `buyers`: fans who paid before.
 * `subscribers`: of any tier, or of `callerTierId` and higher ones.
 */
export const CALLER_RULES = ['everyone', 'conversations', 'followers', 'buyers', 'subscribers'] as const;
export type CallerRule = (typeof CALLER_RULES)[number];

export const callerFields = {
  callerRule: z.enum(CALLER_RULES),
  /** Null unless the rule is `subscribers`, and for all subscribers. */
  callerTierId: z.nullable(subscriptionTierId),
};
export const optionalCallerFields = {
  callerRule: z.optional(callerFields.callerRule),
  callerTierId: z._default(callerFields.callerTierId, null),
};
