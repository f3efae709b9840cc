/**
 * Lets the calls module, which depends on the wallet, resolve many transactions to their calls at once
 * (docs/adr/0013).
 */
import type { CallId } from '@stagedoor/contract/atoms/ids.ts';
import type { CallKind } from '@stagedoor/contract/call-states.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';

export type MovedCall = {
  id: CallId;
  fanId: string;
  creatorId: string;
  kind: CallKind;
  talkedMs: number;
  rateCents: number;
  heldCents: number;
  chargedCents: number;
  givenBackCents: number;
  isOver: boolean;
};

export type MovedCalls = ReadonlyMap<string, MovedCall>;
type Find = (db: Executor, transactionIds: readonly string[]) => Promise<MovedCalls>;
const finders = new WeakMap<Context, Find>();

export function registerMovedCalls(ctx: Context, find: Find): void {
  finders.set(ctx, find);
}

/**
 * Returns the calls by transaction that set aside, charged or released money. Pass the snapshot of the transactions as
 * `db`.
 */
export async function movedCalls(
  ctx: Context,
  transactionIds: readonly string[],
  db: Executor = ctx.db,
): Promise<MovedCalls> {
  return (await finders.get(ctx)?.(db, transactionIds)) ?? new Map();
}
