/**
 * Finds a user, account or transaction by id or name, or lists transactions by kind, amount and days. The list shows no
 * user names, because opening a transaction is what the audit log records.
 */

import { accountCode, type searchLedger, type TransactionResult } from '@stagedoor/contract/admin/ledger.ts';
import { OTHER_TRANSACTION_TITLE } from '@stagedoor/contract/commerce/money-kinds.ts';
import { isId, transactionId, userId } from '@stagedoor/contract/shared/ids.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findDepositByIdOrOrder } from '../../commerce/deposits/index.ts';
import { findPayoutByNumberOrId } from '../../finance/payouts/index.ts';
import { findUserByLogin, requireUser } from '../../identity/accounts/index.ts';
import {
  findAccount,
  findTransactionIds,
  findTransactionIdsByRef,
  listAccounts,
  listTransactionsByIds,
  NEWEST_TRANSACTION,
  searchTransactions,
} from '../../ledger/ledger/index.ts';
import { formatAccountLabel } from './account-labels.ts';
import { parsePeriod, parsePosition, toFilterCents, toPositionCursor } from './cursors.ts';
import { logView, presentAccounts } from './users.ts';

type LedgerSearchResponse = ResponseInputOf<typeof searchLedger>;
type LedgerMatch = Awaited<ReturnType<typeof listTransactionsByIds>>[number];

const toLabels = (codes: readonly string[]) => [...new Set(codes.map(formatAccountLabel))];

function present({ id, at, kind, title, cents, debits, credits }: LedgerMatch): TransactionResult {
  return {
    id: z.parse(transactionId, id),
    at: at.toISOString(),
    kind,
    title: title ?? OTHER_TRANSACTION_TITLE,
    amount: toUsd(cents),
    from: toLabels(debits),
    to: toLabels(credits),
  };
}

async function findTransactionIdsByText(db: Executor, text: string): Promise<string[]> {
  const id = text.toLowerCase();
  const payout = await findPayoutByNumberOrId(db, isId(id) ? id : text);
  const deposit = isId(id) ? await findDepositByIdOrOrder(db, id) : undefined;
  const idMatches = isId(id) ? await findTransactionIds(db, id) : [];
  return [
    ...idMatches,
    ...(payout?.transactionIds ?? []),
    ...(deposit?.transaction_id ? [deposit.transaction_id] : []),
    ...(await findTransactionIdsByRef(db, text)),
  ];
}

async function findUserIdByText(db: Executor, text: string): Promise<string | undefined> {
  if (isId(text.toLowerCase())) {
    const user = await requireUser(db, text.toLowerCase()).catch(() => undefined);
    return user?.id;
  }
  return (await findUserByLogin(db, text.replace(/^@/, '')))?.id;
}

async function searchByText(ctx: Context, actor: Actor, text: string, limit: number): Promise<LedgerSearchResponse> {
  const { db } = ctx;
  const empty = { user: null, accounts: [], data: [], limit, searchedBackTo: null };
  if (z.safeParse(accountCode, text).success && text.includes(':')) {
    const account = await findAccount(db, text);
    if (account?.ownerId) await logView(ctx, actor, 'account', account.code);
    return { ...empty, accounts: account ? await presentAccounts(db, [account]) : [] };
  }
  const rows = await listTransactionsByIds(db, await findTransactionIdsByText(db, text));
  if (rows.length > 0) return { ...empty, data: rows.map(present) };
  const matchedId = await findUserIdByText(db, text);
  if (matchedId === undefined) return empty;
  await logView(ctx, actor, 'user', matchedId);
  const { username, name } = await requireUser(db, matchedId);
  const accounts = await presentAccounts(db, await listAccounts(db, matchedId));
  return { ...empty, user: { id: z.parse(userId, matchedId), username, name }, accounts };
}

/** Throws VALIDATION for a period that ends before it begins, or for an amount with fractions of a cent. */
export async function runLedgerSearch(
  ctx: Context,
  actor: Actor,
  { q, kind, sum, from, to, limit, offset }: QueryOf<typeof searchLedger>,
): Promise<LedgerSearchResponse> {
  const filter = { kind, cents: toFilterCents(sum), ...parsePeriod({ from, to }) };
  if (q !== undefined) return searchByText(ctx, actor, q, limit);
  const { after } = parsePosition(offset) ?? { after: NEWEST_TRANSACTION };
  const { rows, next, searchedBackTo } = await searchTransactions(ctx.db, filter, { after, limit });
  return {
    user: null,
    accounts: [],
    data: rows.map(present),
    limit,
    ...(next && { nextOffset: toPositionCursor({ after: next, balanceCents: null }) }),
    searchedBackTo: searchedBackTo?.toISOString() ?? null,
  };
}
