/** Which call a movement of money was of: what calls, above the wallet, register, asked for many movements at once (docs/decisions/0201). */
import type { CallId } from '@stagedoor/contract/atoms/ids.ts';
import type { CallKind } from '@stagedoor/contract/call-states.ts';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';

/** A call's money as a whole. */
export type MovedCall = {
  id: CallId;
  fanId: string;
  creatorId: string;
  kind: CallKind;
  talkedMs: number;
  rateCents: number;
  heldCents: number;
  chargedCents: number;
  /** Of what was charged, by refunds since. */
  givenBackCents: number;
  isOver: boolean;
};

export type MovedCalls = ReadonlyMap<string, MovedCall>;
type Find = (db: Executor, transactionIds: readonly string[]) => Promise<MovedCalls>;
const finders = new WeakMap<Context, Find>();

/** Says whose calls they are; once. */
export function registerMovedCalls(ctx: Context, find: Find): void {
  finders.set(ctx, find);
}

/** The calls that transactions set money aside for, charged or released; by transaction. Asked of `db`, where it is of one moment with them. */
export async function movedCalls(
  ctx: Context,
  transactionIds: readonly string[],
  db: Executor = ctx.db,
): Promise<MovedCalls> {
  return (await finders.get(ctx)?.(db, transactionIds)) ?? new Map();
}
