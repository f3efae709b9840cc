import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';

export type Leaver = { readonly userId: UserId; readonly type: UserType; readonly username: string };

/**
 * `asked`: the user requests the closing. `due`: it is about to be carried out, and waits for what will pass by itself.
 */
export type Moment = 'asked' | 'due';

export type ClosingStep = {
  /** Returns sentences that say why the account cannot be closed now and what to do. */
  readonly hindrances?: (db: Executor, leaver: Leaver, moment: Moment) => Promise<string[]>;
  /** The step runs when the closing is due, even if it has to wait. It must be idempotent. */
  readonly end?: (db: Executor, leaver: Leaver) => Promise<void>;
  /**
   * Returns what the user could claim only since the request. The closing waits for it for some time, and the user is
   * mailed.
   */
  readonly unclaimed?: (db: Executor, leaver: Leaver) => Promise<string[]>;
  /** Returns consequences beyond those for all users, in sentences. */
  readonly consequences?: (db: Executor, leaver: Leaver) => Promise<string[]>;
  /**
   * Erases data in transactions of bounded size. It must be idempotent, also when run concurrently. `signal` stops it
   * between two transactions.
   */
  readonly erase?: (ctx: Context, leaver: Leaver, signal: AbortSignal | undefined) => Promise<void>;
};

const stepsOf = new WeakMap<Context, Map<string, ClosingStep>>();

/** Each `name` can be registered once. */
export function registerClosing(ctx: Context, name: string, step: ClosingStep): void {
  const steps = stepsOf.get(ctx) ?? new Map<string, ClosingStep>();
  if (steps.has(name)) throw new Error(`${name} closes accounts twice`);
  steps.set(name, step);
  stepsOf.set(ctx, steps);
}

/** The steps are in reverse order of dependencies. */
export const closingSteps = (ctx: Context): ClosingStep[] => [...(stepsOf.get(ctx)?.values() ?? [])].toReversed();
