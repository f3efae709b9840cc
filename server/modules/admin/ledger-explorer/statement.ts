import type { getLedgerAccountStatement, listLedgerAccounts } from '@stagedoor/contract/admin/ledger.ts';
import { OTHER_TRANSACTION_TITLE } from '@stagedoor/contract/commerce/money-kinds.ts';
import { AppError, createFieldError } from '@stagedoor/contract/shared/errors.ts';
import { transactionId } from '@stagedoor/contract/shared/ids.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import type { QueryOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { listPendingMovements } from '../../commerce/sales/index.ts';
import {
  type AccountLine,
  type AccountRow,
  findAccount,
  getBalanceBefore,
  type LineFilter,
  listAccountLines,
  listAccountMovements,
  listAccounts,
  NEWEST_TRANSACTION,
} from '../../ledger/ledger/index.ts';
import {
  parseLineCursor,
  parsePeriod,
  parsePosition,
  toFilterCents,
  toLineCursor,
  toPositionCursor,
} from './cursors.ts';
import * as texts from './texts.ts';
import { logView, presentAccounts } from './users.ts';

type StatementQuery = LineFilter & { limit: number; offset: string };
type AccountPage = { lines: AccountLine[]; nextOffset?: string; searchedBackTo?: Date | undefined };

async function readLinesPage(
  db: Executor,
  account: AccountRow,
  { limit, offset, ...filter }: StatementQuery,
): Promise<AccountPage> {
  const { lines, next, searchedBackTo } = await listAccountLines(db, account, filter, {
    before: parseLineCursor(offset),
    limit,
  });
  return { lines, searchedBackTo, ...(next !== undefined && { nextOffset: toLineCursor(next) }) };
}

async function readMovementsPage(
  db: Executor,
  account: AccountRow,
  query: StatementQuery,
  now: Date,
): Promise<AccountPage> {
  const { limit, offset, ...filter } = query;
  if (filter.cents !== undefined) throw createFieldError('sum', texts.accountSearchUnavailable);
  const position = parsePosition(offset);
  const after = position?.after ?? NEWEST_TRANSACTION;
  const isUnfiltered = filter.kind === undefined;
  let balance = position
    ? position.balanceCents
    : isUnfiltered
      ? await getBalanceBefore(db, account, filter.until, now)
      : null;
  const [, side, ownerId] = /^liab:(creator|affiliate):([0-9a-f-]{36}):pending$/.exec(account.code) ?? [];
  const page = { after, limit: limit + 1 };
  const rows =
    ownerId === undefined
      ? await listAccountMovements(db, account, filter, page)
      : await listPendingMovements(
          db,
          { side: side === 'creator' ? 'creator' : 'affiliate', ownerId, accountId: account.id },
          { ...filter, ...page },
        );
  const lines = rows.slice(0, limit).map((row) => {
    const line = { ...row, balanceCents: balance };
    if (balance !== null) balance -= row.cents;
    return line;
  });
  const last = lines.at(-1);
  if (rows.length <= limit || !last) return { lines };
  return { lines, nextOffset: toPositionCursor({ after: { at: last.at, id: last.id }, balanceCents: balance }) };
}

/**
 * Throws NOT_FOUND. Throws VALIDATION for days in the wrong order, a cursor of another list, or an unsupported amount
 * filter.
 */
export async function getStatement(
  ctx: Context,
  actor: Actor,
  code: string,
  { limit, offset, kind, sum, from, to }: QueryOf<typeof getLedgerAccountStatement>,
): Promise<ResponseInputOf<typeof getLedgerAccountStatement>> {
  const query: StatementQuery = { kind, cents: toFilterCents(sum), ...parsePeriod({ from, to }), limit, offset };
  const accountRow = await findAccount(ctx.db, code);
  if (!accountRow) throw new AppError('NOT_FOUND');
  const view = await ctx.db.snapshot(async (db) => {
    const [account] = await presentAccounts(db, [accountRow]);
    if (!account) throw new Error('an account has its view');
    const page = await (accountRow.isSpendable
      ? readLinesPage(db, accountRow, query)
      : readMovementsPage(db, accountRow, query, ctx.clock.now()));
    return { account, page };
  });
  // Only the first page is audited, because the other pages belong to the same view.
  if (accountRow.ownerId !== null && offset === '0') await logView(ctx, actor, 'account', code);
  const { account, page } = view;
  return {
    account,
    hasLines: accountRow.isSpendable,
    data: page.lines.map(({ id, at, kind: entryKind, title, cents, balanceCents }) => ({
      id: z.parse(transactionId, id),
      at: at.toISOString(),
      kind: entryKind,
      title: title ?? OTHER_TRANSACTION_TITLE,
      amount: toUsd(cents),
      balance: balanceCents === null ? null : toUsd(balanceCents),
    })),
    limit,
    ...(page.nextOffset !== undefined && { nextOffset: page.nextOffset }),
    searchedBackTo: page.searchedBackTo?.toISOString() ?? null,
  };
}

export async function getPlatformAccounts({ db }: Context): Promise<ResponseInputOf<typeof listLedgerAccounts>> {
  return {
    data: await db.snapshot(async (snapshotDb) => presentAccounts(snapshotDb, await listAccounts(snapshotDb, null))),
  };
}
