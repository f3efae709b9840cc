import { AppError, invalid } from '@stagedoor/contract/atoms/errors.ts';
import { transactionId } from '@stagedoor/contract/atoms/ids.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { AnswerOf, QueryOf } from '@stagedoor/contract/atoms/route.ts';
import type { ledgerStatement, listLedgerAccounts } from '@stagedoor/contract/ledger-desk.ts';
import { OTHER_MOVEMENT } from '@stagedoor/contract/money-kinds.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import {
  accountsOf,
  balanceBefore,
  findAccount,
  type LedgerAccount,
  type Line,
  linesPage,
  movementsPage,
  NEWEST,
  type Wanted,
} from '../ledger/index.ts';
import { pendingPage } from '../sales/index.ts';
import { noteLook, presentAccounts } from './people.ts';
import { centsOf, cursorAt, cursorAtLine, lineIn, restingIn, spanOf } from './places.ts';

type Asked = Wanted & { limit: number; offset: string };
type Page = { lines: Line[]; nextOffset?: string; lookedBackTo?: Date | undefined };

async function ofLines(db: Executor, account: LedgerAccount, { limit, offset, ...wanted }: Asked): Promise<Page> {
  const { lines, next, lookedBackTo } = await linesPage(db, account, wanted, { before: lineIn(offset), limit });
  return { lines, lookedBackTo, ...(next !== undefined && { nextOffset: cursorAtLine(next) }) };
}

async function ofMovements(db: Executor, account: LedgerAccount, asked: Asked, now: Date): Promise<Page> {
  const { limit, offset, ...wanted } = asked;
  if (wanted.cents !== undefined)
    throw invalid('sum', 'This account can’t be searched by amount. Search all transactions.');
  const resting = restingIn(offset);
  const after = resting?.after ?? NEWEST;
  const isWhole = wanted.kind === undefined;
  let balance = resting ? resting.balanceCents : isWhole ? await balanceBefore(db, account, wanted.until, now) : null;
  const [, side, ownerId] = /^liab:(creator|affiliate):([0-9a-f-]{36}):pending$/.exec(account.code) ?? [];
  const page = { after, limit: limit + 1 };
  const rows =
    ownerId === undefined
      ? await movementsPage(db, account, wanted, page)
      : await pendingPage(
          db,
          { side: side === 'creator' ? 'creator' : 'affiliate', ownerId, accountId: account.id },
          { ...wanted, ...page },
        );
  const lines = rows.slice(0, limit).map((row) => {
    const line = { ...row, balanceCents: balance };
    if (balance !== null) balance -= row.cents;
    return line;
  });
  const last = lines.at(-1);
  if (rows.length <= limit || !last) return { lines };
  return { lines, nextOffset: cursorAt({ after: { at: last.at, id: last.id }, balanceCents: balance }) };
}

/**
 * Throws NOT_FOUND. Throws VALIDATION for days in the wrong order, a cursor of another list, or an unsupported amount
 * filter.
 */
export async function viewStatement(
  ctx: Context,
  actor: Actor,
  code: string,
  { limit, offset, kind, sum, from, to }: QueryOf<typeof ledgerStatement>,
): Promise<AnswerOf<typeof ledgerStatement>> {
  const asked: Asked = { kind, cents: centsOf(sum), ...spanOf({ from, to }), limit, offset };
  const found = await findAccount(ctx.db, code);
  if (!found) throw new AppError('NOT_FOUND');
  const view = await ctx.db.snapshot(async (db) => {
    const [account] = await presentAccounts(db, [found]);
    if (!account) throw new Error('an account has its view');
    const page = await (found.isSpendable ? ofLines(db, found, asked) : ofMovements(db, found, asked, ctx.clock.now()));
    return { account, page };
  });
  // Only the first page is audited, because the other pages belong to the same view.
  if (found.ownerId !== null && offset === '0') await noteLook(ctx, actor, 'account', code);
  const { account, page } = view;
  return {
    account,
    hasLines: found.isSpendable,
    data: page.lines.map(({ id, at, kind: of, title, cents, balanceCents }) => ({
      id: z.parse(transactionId, id),
      at: at.toISOString(),
      kind: of,
      title: title ?? OTHER_MOVEMENT,
      amount: toUsd(cents),
      balance: balanceCents === null ? null : toUsd(balanceCents),
    })),
    limit,
    ...(page.nextOffset !== undefined && { nextOffset: page.nextOffset }),
    lookedBackTo: page.lookedBackTo?.toISOString() ?? null,
  };
}

export async function viewPlatformAccounts({ db }: Context): Promise<AnswerOf<typeof listLedgerAccounts>> {
  return { data: await db.snapshot(async (moment) => presentAccounts(moment, await accountsOf(moment, null))) };
}
