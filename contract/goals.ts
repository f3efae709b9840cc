import * as z from 'zod/mini';
import { event } from './atoms/event.ts';
import { goalId, instant, userId } from './atoms/ids.ts';
import { GOAL_CENTS, GOAL_DAYS, GOAL_TITLE_LENGTH } from './atoms/limits.ts';
import { line } from './atoms/lines.ts';
import { usd, usdBetween } from './atoms/money.ts';
import { route } from './atoms/route.ts';

export const goal = z.object({
  id: goalId,
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
export type Goal = z.infer<typeof goal>;

export const getGoal = route({
  method: 'GET',
  path: '/public/goal/:creatorId',
  summary: 'Retrieve a creator’s current tip goal, or null if there is none',
  auth: 'public',
  rate: 'read',
  params: z.object({ creatorId: userId }),
  response: z.object({ goal: z.nullable(goal) }),
  errors: ['NOT_FOUND'],
});

export const goalBody = z.object({
  title: line(GOAL_TITLE_LENGTH, 'Enter a title').check(z.minLength(1, 'Enter a title')),
  target: usdBetween(GOAL_CENTS.min, GOAL_CENTS.max),
  days: z._default(z.nullable(z.number().check(z.int(), z.gte(GOAL_DAYS.min), z.lte(GOAL_DAYS.max))), null),
});
export type GoalBody = z.input<typeof goalBody>;
export const setGoal = route({
  method: 'POST',
  path: '/creator/goal',
  summary: 'Create a tip goal. Fails with CONFLICT if one is already active',
  auth: 'creator',
  activity: 'posting',
  rate: 'write',
  body: goalBody,
  response: z.object({ goal: z.nullable(goal) }),
  errors: ['CONFLICT'],
});
export const endGoal = route({
  method: 'DELETE',
  path: '/creator/goal/:id',
  summary: 'Remove a tip goal from the creator’s profile. Tips already received are kept',
  auth: 'creator',
  rate: 'write',
  params: z.object({ id: goalId }),
  response: z.object({ goal: z.nullable(goal) }),
  errors: ['NOT_FOUND'],
});

/** Emitted to viewers of the creator. Null means that there is no goal. */
export const goalChanged = event({
  name: 'TIP_GOAL_CHANGED',
  audience: 'watching',
  payload: z.object({ creatorId: userId, goal: z.nullable(goal) }),
});
