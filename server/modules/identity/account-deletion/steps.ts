import type { UserType } from '@stagedoor/contract/identity/accounts.ts';
import type { UserId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { defineKeyedHook, type HookContext } from '../../../platform/hooks.ts';

export type LeavingUser = { readonly userId: UserId; readonly type: UserType; readonly username: string };

/**
 * `requested`: the user requests the deletion. `due`: it is about to be carried out, and waits for what will pass by itself.
 */
export type DeletionMoment = 'requested' | 'due';

export type DeletionStep = {
  /** Returns sentences that say why the account cannot be deleted now and what to do. */
  readonly listObstacles?: (db: Executor, leavingUser: LeavingUser, moment: DeletionMoment) => Promise<string[]>;
  /** The step runs when the deletion is due, even if it has to wait. It must be idempotent. */
  readonly beforeDeletion?: (db: Executor, leavingUser: LeavingUser) => Promise<void>;
  /**
   * Returns what the user could claim only since the request. The deletion waits for it for some time, and the user is
   * mailed.
   */
  readonly listUnclaimed?: (db: Executor, leavingUser: LeavingUser) => Promise<string[]>;
  /** Returns consequences beyond those for all users, in sentences. */
  readonly listConsequences?: (db: Executor, leavingUser: LeavingUser) => Promise<string[]>;
  /**
   * Erases data in transactions of bounded size. It must be idempotent, also when run concurrently. `signal` stops it
   * between two transactions.
   */
  readonly erase?: (ctx: Context, leavingUser: LeavingUser, signal: AbortSignal | undefined) => Promise<void>;
};

const deletionSteps = defineKeyedHook<DeletionStep>('accountDeletion.deletionStep');
export const registerDeletionStep = deletionSteps.register;

/** The steps are in reverse order of dependencies. */
export const listDeletionSteps = (ctx: HookContext): DeletionStep[] => deletionSteps.list(ctx).toReversed();
