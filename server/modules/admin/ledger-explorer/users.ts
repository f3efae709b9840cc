import type { LedgerAccount, LedgerUser } from '@stagedoor/contract/admin/ledger.ts';
import { userId } from '@stagedoor/contract/shared/ids.ts';
import { toUsd } from '@stagedoor/contract/shared/money.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { Executor } from '../../../platform/database/db.ts';
import type { Actor } from '../../../platform/security/session.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { getBalance } from '../../ledger/ledger/index.ts';
import { formatAccountLabel } from './account-labels.ts';

export function logView(
  ctx: Pick<Context, 'clock' | 'db'>,
  { userId: operatorId }: Actor,
  subjectKind: 'user' | 'transaction' | 'account',
  subjectId: string,
): Promise<void> {
  return ctx.db.transaction((tx) => logAction(ctx, tx, { operatorId, action: 'ledger.view', subjectKind, subjectId }));
}

export async function loadLedgerUsers(db: Executor, ids: Iterable<string>): Promise<Map<string, LedgerUser>> {
  const users = await findUserSummaries(db, ids);
  return new Map(
    [...users].map(([id, { username, name }]) => [id, { id: z.parse(userId, id), username, name }] as const),
  );
}

export async function presentAccounts(
  db: Executor,
  accounts: readonly { code: string; ownerId: string | null }[],
): Promise<LedgerAccount[]> {
  const users = await loadLedgerUsers(
    db,
    accounts.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const views: LedgerAccount[] = [];
  for (const { code, ownerId } of accounts)
    views.push({
      code,
      label: formatAccountLabel(code),
      owner: users.get(ownerId ?? '') ?? null,
      balance: toUsd(await getBalance(db, code)),
    });
  return views;
}
