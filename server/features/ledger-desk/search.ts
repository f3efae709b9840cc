/**
 * Finds a user, account or transaction by id or name, or lists transactions by kind, amount and days. The list shows no
 * user names, because opening a transaction is what the audit log records.
 */
import { isId, transactionId, userId } from '@stagedoor/contract/atoms/ids.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import { accountCode, type FoundTransaction, type searchLedger } from '@stagedoor/contract/ledger-desk.ts';
import { OTHER_MOVEMENT } from '@stagedoor/contract/money-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { findUserByLogin, requireUser } from '../accounts/index.ts';
import {
  accountsOf,
  findAccount,
  findTransactions,
  NEWEST,
  searchTransactions,
  transactionsNamed,
  transactionsTold,
} from '../ledger/index.ts';
import { depositByIdOrOrder } from '../payments/index.ts';
import { findPayoutCalled } from '../payouts/index.ts';
import { noteLook, presentAccounts } from './people.ts';
import { centsOf, cursorAt, restingIn, spanOf } from './places.ts';
import { accountWords } from './words.ts';

type Answer = AnswerOf<typeof searchLedger>;
type Found = Awaited<ReturnType<typeof findTransactions>>[number];

const words = (codes: readonly string[]) => [...new Set(codes.map(accountWords))];

function present({ id, at, kind, title, cents, debits, credits }: Found): FoundTransaction {
  return {
    id: z.parse(transactionId, id),
    at: at.toISOString(),
    kind,
    title: title ?? OTHER_MOVEMENT,
    amount: toUsd(cents),
    from: words(debits),
    to: words(credits),
  };
}

async function transactionsCalled(db: Executor, text: string): Promise<string[]> {
  const id = text.toLowerCase();
  const payout = await findPayoutCalled(db, isId(id) ? id : text);
  const order = isId(id) ? await depositByIdOrOrder(db, id) : undefined;
  const named = isId(id) ? await transactionsNamed(db, id) : [];
  return [
    ...named,
    ...(payout?.transactionIds ?? []),
    ...(order?.transaction_id ? [order.transaction_id] : []),
    ...(await transactionsTold(db, text)),
  ];
}

async function personCalled(db: Executor, text: string): Promise<string | undefined> {
  if (isId(text.toLowerCase())) {
    const user = await requireUser(db, text.toLowerCase()).catch(() => undefined);
    return user?.id;
  }
  return (await findUserByLogin(db, text.replace(/^@/, '')))?.id;
}

async function lookUp(ctx: Context, actor: Actor, text: string, limit: number): Promise<Answer> {
  const { db } = ctx;
  const empty = { person: null, accounts: [], data: [], limit, lookedBackTo: null };
  if (z.safeParse(accountCode, text).success && text.includes(':')) {
    const account = await findAccount(db, text);
    if (account?.ownerId) await noteLook(ctx, actor, 'account', account.code);
    return { ...empty, accounts: account ? await presentAccounts(db, [account]) : [] };
  }
  const rows = await findTransactions(db, await transactionsCalled(db, text));
  if (rows.length > 0) return { ...empty, data: rows.map(present) };
  const personId = await personCalled(db, text);
  if (personId === undefined) return empty;
  await noteLook(ctx, actor, 'person', personId);
  const { username, name } = await requireUser(db, personId);
  const accounts = await presentAccounts(db, await accountsOf(db, personId));
  return { ...empty, person: { id: z.parse(userId, personId), username, name }, accounts };
}

/** Throws VALIDATION for a period that ends before it begins, or for an amount with fractions of a cent. */
export async function search(
  ctx: Context,
  actor: Actor,
  { q, kind, sum, from, to, limit, offset }: QueryOf<typeof searchLedger>,
): Promise<Answer> {
  const sought = { kind, cents: centsOf(sum), ...spanOf({ from, to }) };
  if (q !== undefined) return lookUp(ctx, actor, q, limit);
  const { after } = restingIn(offset) ?? { after: NEWEST };
  const { rows, next, lookedBackTo } = await searchTransactions(ctx.db, sought, { after, limit });
  return {
    person: null,
    accounts: [],
    data: rows.map(present),
    limit,
    ...(next && { nextOffset: cursorAt({ after: next, balanceCents: null }) }),
    lookedBackTo: lookedBackTo?.toISOString() ?? null,
  };
}
