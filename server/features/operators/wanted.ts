/** Settings that guard money: made weaker by two people, stricter by one. What the first wants is kept until it is decided on. */
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

/** What waits for a second operator, longest first. */
export async function wantedSettings(db: Executor): Promise<Wanted[]> {
  return (await db.query.selectFrom('wanted_settings').selectAll().orderBy('at').orderBy('name').execute()).map(
    wantedOf,
  );
}

/** For the desk: how much of it there is. */
export async function countWantedSettings(db: Executor): Promise<{ count: number; since: Date | null }> {
  const wanted = await wantedSettings(db);
  return { count: wanted.length, since: wanted[0]?.at ?? null };
}

/** Takes what is wanted of a setting away, and answers it. */
async function end(tx: Transaction, name: GuardName): Promise<Wanted | undefined> {
  const row = await tx.query.deleteFrom('wanted_settings').where('name', '=', name).returningAll().executeTakeFirst();
  return row && wantedOf(row);
}

type Values = Readonly<Record<string, number>>;
type Facts = Record<string, string | number | boolean | null>;

/**
 * What of a change is in force at once, as the audit log keeps it: all but guards that it makes weaker, which stay as they were and wait
 * for a second operator, unless there is nobody else. A guard that is set anew ends what was wanted of it. Whoever sets the same
 * settings waits outside. Throws CONFLICT for who is too new at the desk to be one of two.
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
 * A second operator decides on what one wants: it is over, and theirs to put in force if they confirm it. Throws CONFLICT when nobody
 * wants that (any more), or as {@link requireTwo}.
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
  // Guards are an owner's to make weaker, these as the others.
  await requireTwo(ctx, tx, { askedBy: wanted.operatorId, confirmer: operatorId, route: setPayoutSettings });
  return wanted;
}
