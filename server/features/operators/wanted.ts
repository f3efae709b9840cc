/** Weakening a setting that protects money needs two operators, tightening it needs one. */
import { AppError } from '@stagedoor/contract/atoms/errors.ts';
import { decidePayout, setPayoutSettings } from '@stagedoor/contract/payout-desk.ts';
import { GUARD_NAMES, type GuardName, guardName, isWeaker } from '@stagedoor/contract/wanted-settings.ts';
import * as z from 'zod/mini';
import type { Context } from '../../kernel/context.ts';
import type { Executor, Transaction } from '../../kernel/db.ts';
import { isAlone, requireCounts, requireTwo } from './two.ts';

export type Wanted = { name: GuardName; value: number; operatorId: string; ground: string; at: Date };
type Row = { name: string; hundredths: number; operator_id: string; ground: string; at: Date };

const wantedOf = ({ name, hundredths, operator_id: operatorId, ground, at }: Row): Wanted => ({
  name: z.parse(guardName, name),
  value: hundredths / 100,
  operatorId,
  ground,
  at,
});

/** Returns the oldest requests first. */
export async function wantedSettings(db: Executor): Promise<Wanted[]> {
  return (await db.query.selectFrom('wanted_settings').selectAll().orderBy('at').orderBy('name').execute()).map(
    wantedOf,
  );
}

export async function countWantedSettings(db: Executor): Promise<{ count: number; since: Date | null }> {
  const wanted = await wantedSettings(db);
  return { count: wanted.length, since: wanted[0]?.at ?? null };
}

async function end(tx: Transaction, name: GuardName): Promise<Wanted | undefined> {
  const row = await tx.query.deleteFrom('wanted_settings').where('name', '=', name).returningAll().executeTakeFirst();
  return row && wantedOf(row);
}

type Values = Readonly<Record<string, number>>;
type Facts = Record<string, string | number | boolean | null>;

/**
 * Weakened settings stay as they were and wait for a second operator, unless there is no other. Changing one again ends
 * its pending request. Returns the values that stay and the details for the audit log. The caller holds the lock on the
 * settings. Throws CONFLICT when the operator's roles are too new.
 */
export async function holdBack(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  { operatorId, ground, before, to }: { operatorId: string; ground: string; before: Values; to: Values },
): Promise<{ held: Partial<Record<GuardName, number>>; facts: Facts }> {
  const held: Partial<Record<GuardName, number>> = {};
  const facts: Facts = {};
  for (const [name, value] of Object.entries(to)) {
    const was = before[name];
    if (was === undefined || was === value) continue;
    const guard = GUARD_NAMES.find((one) => one === name);
    const isGuarded = guard !== undefined && isWeaker(guard, was, value);
    const waits = isGuarded && !(await isAlone(ctx, tx, operatorId, decidePayout));
    facts[waits ? `${name}Wanted` : name] = value;
    facts[`${name}Before`] = was;
    if (guard === undefined) continue;
    const ended = await end(tx, guard);
    if (!waits) {
      if (isGuarded) facts.alone = true;
      if (ended) facts[`${name}Withdrawn`] = ended.value;
      continue;
    }
    await requireCounts(ctx, tx, operatorId);
    held[guard] = was;
    await tx.query
      .insertInto('wanted_settings')
      .values({ name, hundredths: Math.round(value * 100), operator_id: operatorId, ground, at: ctx.clock.now() })
      .execute();
  }
  return { held, facts };
}

/**
 * Deletes the request. The caller applies it if it is confirmed. Throws CONFLICT when there is none, or as {@link
 * requireTwo}.
 */
export async function decideWanted(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  {
    operatorId,
    name,
    value,
    isConfirmed,
  }: { operatorId: string; name: GuardName; value: number; isConfirmed: boolean },
): Promise<Wanted> {
  const wanted = await end(tx, name);
  if (wanted?.value !== value) throw new AppError('CONFLICT', { message: 'This was decided already.' });
  if (!isConfirmed) return wanted;
  // Only owners may weaken these settings, so the requester must still have that right.
  await requireTwo(ctx, tx, { askedBy: wanted.operatorId, confirmer: operatorId, route: setPayoutSettings });
  return wanted;
}
