/** Access to evidence ends one hour after an operator opened it. */
import { showThing } from '@stagedoor/contract/cases-desk.ts';
import { operatorMay } from '@stagedoor/contract/operator-rights.ts';
import type { Context } from '../../../kernel/context.ts';
import type { Executor, Statement, Transaction } from '../../../kernel/db.ts';
import type { Actor } from '../../../kernel/session.ts';

const LOOK_MS = 60 * 60_000;

const KEEP: Statement = {
  name: 'cases-look',
  text: `insert into case_looks (operator_id, item_id, until) select $1, id, $3 from unnest($2::uuid[]) i (id)
    on conflict (operator_id, item_id) do update set until = excluded.until`,
};

async function isLookedAt(db: Executor, { clock }: Pick<Context, 'clock'>, operatorId: string, itemId: string) {
  const look = await db.query
    .selectFrom('case_looks')
    .select('until')
    .where('operator_id', '=', operatorId)
    .where('item_id', '=', itemId)
    .executeTakeFirst();
  return look !== undefined && look.until > clock.now();
}

export async function openFor(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  operatorId: string,
  itemIds: readonly string[],
): Promise<void> {
  const until = new Date(clock.now().getTime() + LOOK_MS);
  if (itemIds.length > 0) await tx.run(KEEP, [operatorId, [...new Set(itemIds)], until]);
}

/** Grants access for one hour. Returns whether it was already granted. */
export async function lookFor(
  ctx: Pick<Context, 'clock'>,
  tx: Transaction,
  operatorId: string,
  itemId: string,
): Promise<boolean> {
  if (await isLookedAt(tx, ctx, operatorId, itemId)) return true;
  await openFor(ctx, tx, operatorId, [itemId]);
  return false;
}

export async function mayLoad(ctx: Context, viewer: Actor, itemId: string): Promise<boolean> {
  if (viewer.type !== 'operator' || !operatorMay(viewer.roles ?? [], showThing)) return false;
  return isLookedAt(ctx.db, ctx, viewer.userId, itemId);
}
