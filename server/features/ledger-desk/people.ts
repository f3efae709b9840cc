import { userId } from '@stagedoor/contract/atoms/ids.ts';
import { toUsd } from '@stagedoor/contract/atoms/money.ts';
import type { LedgerAccount, LedgerPerson } from '@stagedoor/contract/ledger-desk.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor } from '../../kernel/db.ts';
import type { Actor } from '../../kernel/session.ts';
import { findPeople } from '../accounts/index.ts';
import { noteAct } from '../audit/index.ts';
import { balanceOf } from '../ledger/index.ts';
import { accountWords } from './words.ts';

export function noteLook(
  ctx: Pick<Context, 'clock' | 'db'>,
  { userId: operatorId }: Actor,
  subjectKind: 'person' | 'transaction' | 'account',
  subjectId: string,
): Promise<void> {
  return ctx.db.transaction((tx) => noteAct(ctx, tx, { operatorId, act: 'ledger.look', subjectKind, subjectId }));
}

export async function peopleBy(db: Executor, ids: Iterable<string>): Promise<Map<string, LedgerPerson>> {
  const people = await findPeople(db, ids);
  return new Map(
    [...people].map(([id, { username, name }]) => [id, { id: z.parse(userId, id), username, name }] as const),
  );
}

export async function presentAccounts(
  db: Executor,
  accounts: readonly { code: string; ownerId: string | null }[],
): Promise<LedgerAccount[]> {
  const people = await peopleBy(
    db,
    accounts.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const views: LedgerAccount[] = [];
  for (const { code, ownerId } of accounts)
    views.push({
      code,
      words: accountWords(code),
      owner: people.get(ownerId ?? '') ?? null,
      balance: toUsd(await balanceOf(db, code)),
    });
  return views;
}
