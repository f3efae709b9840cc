/** Weakening a setting that protects money needs two operators, tightening it needs one. */

import { decidePayout, updatePayoutSettings } from '@stagedoor/contract/admin/payouts.ts';
import {
  GUARDED_SETTINGS,
  type GuardedSetting,
  guardedSetting,
  isWeakerValue,
} from '@stagedoor/contract/admin/setting-approvals.ts';
import { AppError } from '@stagedoor/contract/shared/errors.ts';
import * as z from 'zod/mini';
import type { Context } from '../../../platform/context.ts';
import type { DbTransaction, Executor } from '../../../platform/database/db.ts';
import { isOnlyOperator, requireEstablishedOperator, requireTwoOperators } from './four-eyes.ts';

export type PendingSetting = { name: GuardedSetting; value: number; operatorId: string; reason: string; at: Date };
type PendingSettingRow = { name: string; value_hundredths: number; operator_id: string; reason: string; at: Date };

const toPendingSetting = ({
  name,
  value_hundredths,
  operator_id: operatorId,
  reason,
  at,
}: PendingSettingRow): PendingSetting => ({
  name: z.parse(guardedSetting, name),
  value: value_hundredths / 100,
  operatorId,
  reason,
  at,
});

/** Returns the oldest requests first. */
export async function listPendingSettings(db: Executor): Promise<PendingSetting[]> {
  return (await db.query.selectFrom('setting_approvals').selectAll().orderBy('at').orderBy('name').execute()).map(
    toPendingSetting,
  );
}

export async function countPendingSettings(db: Executor): Promise<{ count: number; since: Date | null }> {
  const pending = await listPendingSettings(db);
  return { count: pending.length, since: pending[0]?.at ?? null };
}

async function deletePendingSetting(tx: DbTransaction, name: GuardedSetting): Promise<PendingSetting | undefined> {
  const row = await tx.query.deleteFrom('setting_approvals').where('name', '=', name).returningAll().executeTakeFirst();
  return row && toPendingSetting(row);
}

type SettingValues = Readonly<Record<string, number>>;
type AuditDetails = Record<string, string | number | boolean | null>;

/**
 * Weakened settings stay as they were and wait for a second operator, unless there is no other. Changing one again ends
 * its pending request. Returns the values that stay and the details for the audit log. The caller holds the lock on the
 * settings. Throws CONFLICT when the operator's roles are too new.
 */
export async function splitGuardedChanges(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  { operatorId, reason, before, to }: { operatorId: string; reason: string; before: SettingValues; to: SettingValues },
): Promise<{ retained: Partial<Record<GuardedSetting, number>>; details: AuditDetails }> {
  const retained: Partial<Record<GuardedSetting, number>> = {};
  const details: AuditDetails = {};
  for (const [name, value] of Object.entries(to)) {
    const previous = before[name];
    if (previous === undefined || previous === value) continue;
    const guard = GUARDED_SETTINGS.find((one) => one === name);
    const isGuarded = guard !== undefined && isWeakerValue(guard, previous, value);
    const needsApproval = isGuarded && !(await isOnlyOperator(ctx, tx, operatorId, decidePayout));
    details[needsApproval ? `${name}Wanted` : name] = value;
    details[`${name}Before`] = previous;
    if (guard === undefined) continue;
    const replaced = await deletePendingSetting(tx, guard);
    if (!needsApproval) {
      if (isGuarded) details.alone = true;
      if (replaced) details[`${name}Withdrawn`] = replaced.value;
      continue;
    }
    await requireEstablishedOperator(ctx, tx, operatorId);
    retained[guard] = previous;
    await tx.query
      .insertInto('setting_approvals')
      .values({ name, value_hundredths: Math.round(value * 100), operator_id: operatorId, reason, at: ctx.clock.now() })
      .execute();
  }
  return { retained, details };
}

/**
 * Deletes the request. The caller applies it if it is confirmed. Throws CONFLICT when there is none, or as {@link
 * requireTwoOperators}.
 */
export async function decidePendingSetting(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  {
    operatorId,
    name,
    value,
    isConfirmed,
  }: { operatorId: string; name: GuardedSetting; value: number; isConfirmed: boolean },
): Promise<PendingSetting> {
  const pending = await deletePendingSetting(tx, name);
  if (pending?.value !== value) throw new AppError('CONFLICT', { message: 'This was decided already.' });
  if (!isConfirmed) return pending;
  // Only owners may weaken these settings, so the requester must still have that right.
  await requireTwoOperators(ctx, tx, {
    requesterId: pending.operatorId,
    confirmer: operatorId,
    route: updatePayoutSettings,
  });
  return pending;
}
