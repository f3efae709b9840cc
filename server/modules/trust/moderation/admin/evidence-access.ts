/** Access to evidence ends one hour after an operator opened it. */
import { getCaseContent } from '@stagedoor/contract/admin/cases.ts';
import { canOperatorCallRoute } from '@stagedoor/contract/admin/operator-rights.ts';
import type { Context } from '../../../../platform/context.ts';
import type { DbTransaction, Executor, SqlStatement } from '../../../../platform/database/db.ts';
import type { Actor } from '../../../../platform/security/session.ts';

const ACCESS_MS = 60 * 60_000;

const GRANT: SqlStatement = {
  name: 'moderation-grant-access',
  text: `insert into evidence_views (operator_id, item_id, until) select $1, id, $3 from unnest($2::uuid[]) i (id)
    on conflict (operator_id, item_id) do update set until = excluded.until`,
};

async function hasAccess(db: Executor, { clock }: Pick<Context, 'clock'>, operatorId: string, itemId: string) {
  const view = await db.query
    .selectFrom('evidence_views')
    .select('until')
    .where('operator_id', '=', operatorId)
    .where('item_id', '=', itemId)
    .executeTakeFirst();
  return view !== undefined && view.until > clock.now();
}

export async function grantEvidenceAccess(
  { clock }: Pick<Context, 'clock'>,
  tx: DbTransaction,
  operatorId: string,
  itemIds: readonly string[],
): Promise<void> {
  const until = new Date(clock.now().getTime() + ACCESS_MS);
  if (itemIds.length > 0) await tx.run(GRANT, [operatorId, [...new Set(itemIds)], until]);
}

/** Grants access for one hour. Returns whether it was already granted. */
export async function grantEvidenceAccessOnce(
  ctx: Pick<Context, 'clock'>,
  tx: DbTransaction,
  operatorId: string,
  itemId: string,
): Promise<boolean> {
  if (await hasAccess(tx, ctx, operatorId, itemId)) return true;
  await grantEvidenceAccess(ctx, tx, operatorId, [itemId]);
  return false;
}

export async function canLoadEvidence(ctx: Context, viewer: Actor, itemId: string): Promise<boolean> {
  if (viewer.type !== 'operator' || !canOperatorCallRoute(viewer.roles ?? [], getCaseContent)) return false;
  return hasAccess(ctx.db, ctx, viewer.userId, itemId);
}
