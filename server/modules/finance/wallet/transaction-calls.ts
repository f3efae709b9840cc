/**
 * Lets the calls module, which depends on the wallet, resolve many transactions to their calls at once
 * (docs/adr/0013).
 */

import type { CallEndReason, CallKind } from '@stagedoor/contract/messaging/call-states.ts';
import type { CallId } from '@stagedoor/contract/shared/ids.ts';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import { defineHook } from '../../../platform/hooks.ts';

export type TransactionCall = {
  id: CallId;
  fanId: string;
  creatorId: string;
  kind: CallKind;
  connectedMs: number;
  rateCents: number;
  heldCents: number;
  chargedCents: number;
  refundedCents: number;
  isOver: boolean;
  /** Why it ended, as the fan sees it. */
  reason: CallEndReason | null;
};

export type CallsByTransaction = ReadonlyMap<string, TransactionCall>;
type FindCalls = (db: Executor, transactionIds: readonly string[]) => Promise<CallsByTransaction>;
const callFinder = defineHook<FindCalls>('wallet.callFinder');
export const registerCallFinder = callFinder.register;

/**
 * Returns the calls by transaction that set aside, charged or released money. Pass the snapshot of the transactions as
 * `db`.
 */
export async function findTransactionCalls(
  ctx: Context,
  transactionIds: readonly string[],
  db: Executor = ctx.db,
): Promise<CallsByTransaction> {
  return (await callFinder.find(ctx)?.(db, transactionIds)) ?? new Map();
}
