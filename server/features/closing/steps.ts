/** What rooms above have to do with the closing of an account: why it must wait, and what of it they take away. */
import type { UserType } from '@stagedoor/contract/accounts.ts';
import type { UserId } from '@stagedoor/contract/atoms/ids.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';

/** Whoever leaves. */
export type Leaver = { readonly userId: UserId; readonly type: UserType; readonly username: string };

/** `asked`: they want to close it; `due`: it is to be closed now, and waits by itself for what passes. */
export type Moment = 'asked' | 'due';

export type ClosingStep = {
  /** Why it cannot be closed now, in sentences that say what to do. */
  readonly hindrances?: (db: Executor, leaver: Leaver, moment: Moment) => Promise<string[]>;
  /** What ends when it is due, whatever it still waits for. Done again, it changes nothing. */
  readonly end?: (db: Executor, leaver: Leaver) => Promise<void>;
  /** What only became theirs since they asked, once it can be taken: it waits for them, told by mail, and is given up in the end. */
  readonly unclaimed?: (db: Executor, leaver: Leaver) => Promise<string[]>;
  /** What they give up by it beside what everybody does, in sentences. */
  readonly consequences?: (db: Executor, leaver: Leaver) => Promise<string[]>;
  /**
   * Takes away what the room holds of them, in transactions of bounded size. Run again, from the beginning or while another run goes on, it
   * takes away what is left; `signal` ends it between two transactions.
   */
  readonly erase?: (ctx: Context, leaver: Leaver, signal: AbortSignal | undefined) => Promise<void>;
};

const stepsOf = new WeakMap<Context, Map<string, ClosingStep>>();

/** Registers what a room has to do with it; once each by `name`. */
export function registerClosing(ctx: Context, name: string, step: ClosingStep): void {
  const steps = stepsOf.get(ctx) ?? new Map<string, ClosingStep>();
  if (steps.has(name)) throw new Error(`${name} closes accounts twice`);
  steps.set(name, step);
  stepsOf.set(ctx, steps);
}

/** The highest room first: what uses something goes before what is used. */
export const closingSteps = (ctx: Context): ClosingStep[] => [...(stepsOf.get(ctx)?.values() ?? [])].toReversed();
