import * as z from 'zod/mini';
import { event } from '../shared/event.ts';
import { instant, tipGoalId, userId } from '../shared/ids.ts';
import { TIP_GOAL_CENTS, TIP_GOAL_DAYS, TIP_GOAL_TITLE_LENGTH } from '../shared/limits.ts';
import { createUsdSchema, usd } from '../shared/money.ts';
import { route } from '../shared/route.ts';
import { singleLineText } from '../shared/single-line-text.ts';

export const tipGoal = z.object({
  id: tipGoalId,
  creatorId: userId,
  title: z.string(),
  target: usd,
  /** USD of tips minus refunds. It can exceed the target and fall below it again. */
  raised: usd,
  tipCount: z.number(),
  startedAt: instant,
  endsAt: z.nullable(instant),
  isReached: z.boolean(),
  isOpen: z.boolean(),
});
export type TipGoal = z.infer<typeof tipGoal>;

export const getTipGoal = route({
  method: 'GET',
  path: '/public/tip-goal/:creatorId',
  summary: 'Retrieve a creator’s current tip goal, or null if there is none',
  auth: 'public',
  rate: 'read',
  params: z.object({ creatorId: userId }),
  response: z.object({ goal: z.nullable(tipGoal) }),
  errors: ['NOT_FOUND'],
});

export const tipGoalBody = z.object({
  title: singleLineText(TIP_GOAL_TITLE_LENGTH, 'Enter a title').check(z.minLength(1, 'Enter a title')),
  target: createUsdSchema(TIP_GOAL_CENTS.min, TIP_GOAL_CENTS.max),
  days: z._default(z.nullable(z.number().check(z.int(), z.gte(TIP_GOAL_DAYS.min), z.lte(TIP_GOAL_DAYS.max))), null),
});
export type TipGoalBody = z.input<typeof tipGoalBody>;
export const createTipGoal = route({
  method: 'POST',
  path: '/creator/tip-goal',
  summary: 'Create a tip goal. Fails with CONFLICT if one is already active',
  auth: 'creator',
  activity: 'posting',
  rate: 'write',
  body: tipGoalBody,
  response: z.object({ goal: z.nullable(tipGoal) }),
  errors: ['CONFLICT'],
});
export const endTipGoal = route({
  method: 'DELETE',
  path: '/creator/tip-goal/:id',
  summary: 'Remove a tip goal from the creator’s profile. Tips already received are kept',
  auth: 'creator',
  rate: 'write',
  params: z.object({ id: tipGoalId }),
  response: z.object({ goal: z.nullable(tipGoal) }),
  errors: ['NOT_FOUND'],
});

/** Emitted to viewers of the creator. Null means that there is no goal. */
export const tipGoalChanged = event({
  name: 'TIP_GOAL_CHANGED',
  audience: 'watching',
  payload: z.object({ creatorId: userId, goal: z.nullable(tipGoal) }),
});
