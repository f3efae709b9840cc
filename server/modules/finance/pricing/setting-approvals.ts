import type {
  decideSettingApproval,
  GuardedSetting,
  listSettingApprovals,
} from '@stagedoor/contract/admin/setting-approvals.ts';
import { asCents, toCents, toUsd } from '@stagedoor/contract/shared/money.ts';
import type { BodyOf, ResponseInputOf } from '@stagedoor/contract/shared/route.ts';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { getSalesSettings, lockFees, updateSalesSettings } from '../../commerce/sales/index.ts';
import { findUserSummaries } from '../../identity/accounts/index.ts';
import { logAction } from '../../identity/audit-log/index.ts';
import { decidePendingSetting, listPendingSettings } from '../../identity/staff/index.ts';
import { loadPayoutSettings, lockPayoutSettings, setPayoutGuard } from '../payouts/index.ts';

type SettingAccess = {
  group: 'fees' | 'payouts';
  read: (db: Executor) => Promise<number>;
  set: (tx: DbTransaction, value: number) => Promise<unknown>;
};
const SETTING_ACCESS: Readonly<Record<GuardedSetting, SettingAccess>> = {
  secondApprover: {
    group: 'payouts',
    read: async (db) => toUsd(asCents((await loadPayoutSettings(db)).secondApproverCents)),
    set: (tx, value) => setPayoutGuard(tx, { secondApproverCents: toCents(value) }),
  },
  coolingHours: {
    group: 'payouts',
    read: async (db) => (await loadPayoutSettings(db)).coolingHours,
    set: (tx, value) => setPayoutGuard(tx, { coolingHours: value }),
  },
  clearingDays: {
    group: 'fees',
    read: async (db) => (await getSalesSettings(db)).clearingDays,
    set: (tx, value) => updateSalesSettings(tx, { clearingDays: value }),
  },
  dailySpend: {
    group: 'fees',
    read: async (db) => toUsd((await getSalesSettings(db)).dailyLimitCents),
    set: (tx, value) => updateSalesSettings(tx, { dailyLimitCents: toCents(value) }),
  },
};

export async function presentSettingApprovals({
  db,
}: Pick<Context, 'db'>): Promise<ResponseInputOf<typeof listSettingApprovals>> {
  const pending = await listPendingSettings(db);
  const usersById = await findUserSummaries(
    db,
    pending.map(({ operatorId }) => operatorId),
  );
  const data = pending.map(async ({ name, value, operatorId, reason, at }) => ({
    name,
    from: await SETTING_ACCESS[name].read(db),
    to: value,
    operator: usersById.get(operatorId)?.username ?? operatorId,
    reason,
    at: at.toISOString(),
  }));
  return { data: await Promise.all(data) };
}

/** Throws CONFLICT as `decidePendingSetting` of the staff module. */
export async function applySettingDecision(
  ctx: Pick<Context, 'clock' | 'db'>,
  operatorId: string,
  name: GuardedSetting,
  { decision, to, reason }: BodyOf<typeof decideSettingApproval>,
): Promise<ResponseInputOf<typeof decideSettingApproval>> {
  const { group, read, set } = SETTING_ACCESS[name];
  await ctx.db.transaction(async (tx) => {
    // Setting them directly takes the same lock.
    await (group === 'fees' ? lockFees(tx) : lockPayoutSettings(tx));
    const before = await read(tx);
    const isConfirmed = decision === 'confirm';
    const pending = await decidePendingSetting(ctx, tx, { operatorId, name, value: to, isConfirmed });
    if (isConfirmed) {
      await set(tx, to);
      if (group === 'fees') await tx.emit('fees.changed', {});
    }
    const changed = isConfirmed ? { [name]: to, [`${name}Before`]: before } : { [`${name}Refused`]: to };
    await logAction(ctx, tx, {
      operatorId,
      action: `settings.${group}.${decision}`,
      subjectKind: 'settings',
      subjectId: group,
      details: { reason, requestedBy: pending.operatorId, ...changed },
    });
  });
  return presentSettingApprovals(ctx);
}
