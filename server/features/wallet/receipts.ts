import type { Context } from '../../kernel/context.ts';
import type { Actor } from '../../kernel/session.ts';
export const viewReceipt = async (_c: Context, _a: Actor, _q: unknown): Promise<never> => {
  throw new Error('to come');
};
