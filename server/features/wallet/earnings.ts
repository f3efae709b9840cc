import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';

const no = (): never => {
  throw new Error('to come');
};
export const earningOf = async (_c: Context, _id: string, _t: string) => undefined;
export const viewChart = async (_c: Context, _a: Actor, _q: unknown) => no();
export const viewCreatorBalance = async (_c: Context, _a: Actor) => no();
export const viewCreatorStats = async (_c: Context, _a: Actor) => no();
export const viewEarnings = async (_c: Context, _a: Actor, _q: unknown) => no();
